// Package sampleprof writes sample profiles as text, raw binary and extensible files,
// and changes how they nest, as llvm-profdata merge --sample does (sampleprof.md).
package sampleprof
