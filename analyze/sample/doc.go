// Package sample computes figures of sample profiles, as LLVM's tools do
// (sampleprof.md §9, §10).
package sample
