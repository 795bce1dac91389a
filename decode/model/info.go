package model

import (
	"fmt"
	"slices"
	"strings"
)

// Format is an encoding of a profile.
type Format string

// The formats.
const (
	LLVMRaw     Format = "llvm-raw"
	LLVMIndexed Format = "llvm-indexed"
	LLVMText    Format = "llvm-text"
	MemProfRaw  Format = "memprof-raw"
	MemProfYAML Format = "memprof-yaml"
	// MemProfReport is the text that the runtime writes with print_text=1.
	MemProfReport Format = "memprof-report"
	MIPProfile    Format = "mip"
	MIPMap        Format = "mipmap"
	MIPRaw        Format = "mipraw"
	DCPISamples   Format = "dcpi"
	DCPICat       Format = "dcpicat" // the text that dcpicat prints
	ELF           Format = "elf"     // a program that stands beside its profiles; no profile itself
	MachO         Format = "mach-o"  // the same on Apple's systems
	NMListing     Format = "nm"      // the output of nm, which names the procedures of an image
)

// Family is what a profile measures. A file may hold several.
type Family string

// The families.
const (
	Instr      Family = "instr"
	MemProfFam Family = "memprof"
	MIPFam     Family = "mip"
	DCPIFam    Family = "dcpi"
)

// Info is what a file says of itself before its records are read.
type Info struct {
	Format      Format
	Families    []Family
	Version     uint64 // format version; 0 for text
	Variant     Variant
	PointerSize int        // bytes in the profiled program; 0 where the format does not say
	BigEndian   bool       // byte order of the file
	Profiles    int        // how many profiles stand one after another in the file; 1 but for raw
	ExplicitFE  bool       // a text file with ":fe": only this makes llvm-profdata refuse a merge with IR
	Records     uint64     // function records the header promises; 0 where unknown before reading
	MIP         *MIPHeader // of a Machine IR Profile; nil elsewhere
	// Partial has the files, of one or of several merged, of which only the
	// readable beginning was decoded; nil is whole.
	Partial []Partial

	BinaryIDs       [][]byte // GNU build ids, Mach-O UUIDs; sorted and unique once merged
	VTableNames     [][]byte // PGO names of vtables
	TraceStreamSize uint64   // traces ever seen, of which Traces is a sample

	// Summary and CSSummary are those stored in an indexed file; nil elsewhere.
	// They are advisory: the records decide (instrprof.md §3.2).
	Summary, CSSummary *Summary

	// MemProfSection locates the MemProf section of an indexed file that the
	// instrumentation decoder keeps but does not read; Size 0 when there is none.
	MemProfSection Section
	// MemProf is that section's bytes, a slice of the file. What it says of
	// offsets is absolute in the file: MemProfSection.Offset is its base.
	MemProf []byte
}

// Has reports whether the file holds something of a family.
func (i *Info) Has(f Family) bool { return slices.Contains(i.Families, f) }

// Describe gives the file's kind in one line, such as
// "LLVM raw v8, 64-bit, little-endian, IR, entry first".
func (i *Info) Describe() string {
	var parts []string
	switch i.Format {
	case LLVMRaw:
		order := "little-endian"
		if i.BigEndian {
			order = "big-endian"
		}
		if i.Version == 0 {
			return "empty LLVM raw" // a file of no bytes, which llvm-profdata passes over too
		}
		parts = append(parts, fmt.Sprintf("LLVM raw v%d", i.Version), fmt.Sprintf("%d-bit", i.PointerSize*8), order)
	case LLVMIndexed:
		parts = append(parts, fmt.Sprintf("LLVM indexed v%d", i.Version))
	case LLVMText:
		parts = append(parts, "LLVM text")
	case MemProfRaw:
		return fmt.Sprintf("MemProf raw v%d", i.Version)
	case MemProfYAML:
		return "MemProf YAML"
	case MemProfReport:
		return "MemProf text report"
	case MIPProfile, MIPMap, MIPRaw:
		return i.describeMIP()
	case DCPISamples:
		return fmt.Sprintf("DCPI samples 0.%02d", i.Version)
	case DCPICat:
		return "dcpicat text"
	case NMListing:
		return "nm listing"
	case ELF, MachO:
		return i.describeProgram()
	}
	return strings.Join(append(parts, i.Words()...), ", ")
}

// Words are those of the variant. A heap profile alone has one: the other flags
// are of counters.
func (i *Info) Words() []string {
	if i.Has(MemProfFam) && !i.Has(Instr) {
		return []string{"MemProf"}
	}
	return i.Variant.Words()
}

// describeMIP is Describe of a Machine IR Profile: "MIP map v8, 64-bit, function
// coverage, block coverage, module 0x1f2e3d4c".
func (i *Info) describeMIP() string {
	s := map[Format]string{MIPProfile: "MIP profile", MIPMap: "MIP map", MIPRaw: "MIP raw"}[i.Format]
	if i.MIP != nil && i.MIP.FileType&MIPFileRet != 0 {
		s = "MIP call edge samples"
	}
	s += fmt.Sprintf(" v%d", i.Version)
	if i.PointerSize > 0 {
		s += fmt.Sprintf(", %d-bit", i.PointerSize*8)
	}
	if i.MIP != nil {
		for _, word := range i.MIP.ProfileType.Words() {
			s += ", " + strings.ToLower(word)
		}
		s += fmt.Sprintf(", module 0x%08x", i.MIP.ModuleHash)
	}
	return s
}

// describeProgram is Describe of an executable: "ELF program, 64-bit,
// little-endian, build id 4d200c36…".
func (i *Info) describeProgram() string {
	what := "ELF"
	if i.Format == MachO {
		what = "Mach-O"
	}
	s := fmt.Sprintf("%s program, %d-bit, %s", what, i.PointerSize*8, i.byteOrder())
	for _, id := range i.BinaryIDs {
		s += fmt.Sprintf(", build id %x", id)
	}
	return s
}

func (i *Info) byteOrder() string {
	if i.BigEndian {
		return "big-endian"
	}
	return "little-endian"
}
