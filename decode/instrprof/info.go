package instrprof

import (
	"fmt"
	"strings"

	"proflens/decode/model"
)

// Family is the family of instrumentation profiles.
const Family model.Family = "instr"

// The formats of instrumentation profiles.
const (
	FormatRaw     model.Format = "llvm-raw"
	FormatIndexed model.Format = "llvm-indexed"
	FormatText    model.Format = "llvm-text"
)

// Info is what a file of counters says of itself before its records are read.
type Info struct {
	model.Info
	Variant    Variant
	ExplicitFE bool   // a text file with ":fe": only this makes llvm-profdata refuse a merge with IR
	Records    uint64 // function records the header promises; 0 where unknown before reading

	VTableNames     [][]byte // PGO names of vtables
	VTables         []VTable // where they stood, of raw files; by address once merged
	TraceStreamSize uint64   // traces ever seen, of which Traces is a sample

	// Summary and CSSummary are those stored in an indexed file; nil elsewhere.
	// They are advisory: the records decide (instrprof.md §3.2).
	Summary, CSSummary *Summary

	// MemProfSection locates the MemProf section of an indexed file, which is kept
	// but not read; Size 0 when there is none.
	MemProfSection model.Section
	// MemProf is that section's bytes, a slice of the file. What it says of
	// offsets is absolute in the file: MemProfSection.Offset is its base.
	MemProf []byte
}

// Name sets Describe and Words to what the other facts come to.
func (i *Info) Name() {
	i.Words = i.Variant.Words()
	if len(i.Families) == 0 { // an indexed file without records: the other flags are of counters
		i.Words = []string{"MemProf"}
	}
	var parts []string
	switch i.Format {
	case FormatRaw:
		if i.Version == 0 {
			i.Describe = "empty LLVM raw" // a file of no bytes, which llvm-profdata passes over too
			return
		}
		parts = append(parts, fmt.Sprintf("LLVM raw v%d", i.Version), fmt.Sprintf("%d-bit", i.PointerSize*8), i.ByteOrder())
	case FormatIndexed:
		parts = append(parts, fmt.Sprintf("LLVM indexed v%d", i.Version))
	case FormatText:
		parts = append(parts, "LLVM text")
	}
	i.Describe = strings.Join(append(parts, i.Words...), ", ")
}
