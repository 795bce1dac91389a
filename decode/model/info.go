package model

import "slices"

// Format is an encoding of a profile, or of a file that stands beside one, such
// as "llvm-raw". Each package of decode names its own.
type Format string

// Family is what a profile measures, such as "memprof". A file may hold several.
// Each package of decode names its own.
type Family string

// Info is what a file says of itself before its records are read, as far as all
// formats have it alike.
type Info struct {
	Format      Format
	Families    []Family
	Version     uint64 // format version; 0 for text
	PointerSize int    // bytes in the profiled program; 0 where the format does not say
	BigEndian   bool   // byte order of the file
	Profiles    int    // how many profiles stand one after another in the file; 1 but for raw
	// Describe is the kind in one line, such as "LLVM raw v8, 64-bit,
	// little-endian, IR, entry first"; Words are the flags in it, "IR" and "entry
	// first".
	Describe string
	Words    []string
	// Partial has the files, of one or of several merged, of which only the
	// readable beginning was decoded; nil is whole.
	Partial []Partial
	// BinaryIDs are GNU build IDs and Mach-O UUIDs; sorted and unique once merged.
	BinaryIDs [][]byte
}

// Has reports whether the file holds something of a family.
func (i *Info) Has(f Family) bool { return slices.Contains(i.Families, f) }

// ByteOrder is that of the file in a word.
func (i *Info) ByteOrder() string {
	if i.BigEndian {
		return "big-endian"
	}
	return "little-endian"
}
