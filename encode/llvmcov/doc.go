// Package llvmcov writes coverage as llvm-cov 22 does, to the byte: the JSON and the
// LCOV trace of its export, its report and the text of its show; and as Cobertura XML,
// which llvm-cov has not.
//
// Comments cite the sections of a description of the format, covmap.md.
package llvmcov
