// Package instrprof reads the instrumentation profiles of LLVM: raw files of
// the profile runtime (.profraw, versions 1 to 11), indexed files of
// llvm-profdata (.profdata, versions 1 to 14) and their text form (.proftext);
// and merges several as llvm-profdata merge does.
//
// [OpenCorrelated], [OpenIndexed] and [OpenText] check a file's header and return a
// [Source] that reads records from the given bytes when asked; a
// [Merger] adds sources up into one that holds its records in memory. What
// llvm-profdata 22 accepts is accepted, damaged or not; everything else is a
// [model.FormatError] with a kind and an offset.
//
// Comments cite the sections of a description of the formats, instrprof.md.
package instrprof
