// Package symbol reads the executables that profiles were recorded with: their
// sections, segments, build IDs, symbols and debug info.
//
// A [Symbolizer] says which functions and lines an address is of, inlined
// functions included, as LLVM's symbolizer does (memprof.md §2.3). It reads the
// header and first entry of every unit, and of a unit that an address is in all
// entries and the line table, once. Debug info may be of DWARF 2 to 5, of any
// class and byte order, compressed, in a file of its own, or split off into .dwo
// files or a .dwp package. References into the file that dwz shares between
// programs are not followed: such functions have no name.
//
// An executable is uploaded like any other file and may be hostile. The
// standard library's debug/elf and debug/dwarf state that they are not meant
// for such input: they keep a table of abbreviations for every offset that a
// unit names, and a copy of every name, so that a file of 100 KB can ask for
// gigabytes. The readers here look at the file in place, keep what the caller
// asked for, and bound what is inflated by the bytes that are there. The
// constants are those of the standard library.
//
// An [Image] is an ELF file, or for correlation a Mach-O program or its .dSYM
// bundle's debug info, or a PE program. Symbols, segments and frames are those of
// ELF alone. LC_UUID of Mach-O and the GUID that a Windows program shares with
// its PDB stand in place of the build ID. Pointers in Mach-O sections may be
// chained fixups: [Image.Pointer] puts them right.
package symbol
