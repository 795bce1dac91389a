// Package coverage joins the coverage mapping of programs with the counters of a
// profile, and comes to the numbers of llvm-cov: how often every region, line and
// branch ran, which conditions of a decision were shown to matter, and the sums of
// functions and files. What does not fit is told, not dropped.
//
// Comments cite the sections of a description of the format, covmap.md.
package coverage
