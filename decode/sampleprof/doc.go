// Package sampleprof reads sample profiles: what llvm-profgen, llvm-profdata --sample,
// create_llvm_prof and create_gcov write of a program that was sampled while it ran
// (sampleprof.md).
//
// Five forms hold the same records: text, raw binary, compact, extensible, and GCC's.
// A [Profile] has the functions of one file, or of several added up, by name or by
// calling context; [Open] reads a file of any form, [Merge] adds profiles up.
package sampleprof
