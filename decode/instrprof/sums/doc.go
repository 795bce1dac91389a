// Package sums adds instrumentation profiles up as llvm-profdata merge does
// (instrprof.md §6.1): any number of them, runs of one program by every processor.
package sums
