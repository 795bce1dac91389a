package memprof

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"

	"proflens/decode/model"
)

// Family is the family of heap profiles.
const Family model.Family = "memprof"

// The formats of heap profiles that stand alone.
const (
	FormatRaw  model.Format = "memprof-raw"
	FormatYAML model.Format = "memprof-yaml"
	// FormatIndexed is an indexed profile, which has it in a section.
	FormatIndexed model.Format = "llvm-indexed"
	// FormatReport is the text that the runtime writes with print_text=1.
	FormatReport model.Format = "memprof-report"
)

// Profile is a decoded MemProf profile (memprof.md): what was allocated, by
// which call stack, for how long, and how much it was used. It is tables that
// refer to each other by index, so that it takes memory in proportion to its
// files whatever they claim; what yields it has checked every index.
type Profile struct {
	Format  model.Format // MemProfRaw, LLVMIndexed, MemProfYAML or MemProfReport; empty once merged from several of these
	Version uint64       // raw 1 to 5, indexed 0 to 4; 0 for text
	// Schema has the fields that some MIB has. A MIB may have fewer.
	Schema MIBSchema
	// Symbolized says that frames have functions. Else they are addresses in
	// Modules, or what a runtime's report could say of them, and there are no
	// Records.
	Symbolized bool
	Dumps      int // how many raw profiles stood one after another in the files

	Modules  []Module    // what was loaded, in the file's order; none in indexed files
	Frames   []Frame     // distinct
	Stacks   []StackNode // distinct; a caller stands before the frames it called
	Contexts []Context   // as recorded: see Distinct
	Records  []Record
	StackIDs [][]uint64 // of a raw profile, by dump: of all its stacks, with those that are left out
	// DataAccess is nil where the profile has none.
	DataAccess *DataAccess
	// Summary is the one stored in the file (indexed version 4); nil elsewhere.
	Summary  *Summary
	Findings []model.Finding
}

// Module is one executable segment that was mapped when a raw profile was
// written (memprof.md §1.3).
type Module struct {
	Start, End uint64 // addresses in the process; End is exclusive
	// Offset is, from raw version 3 on, what was added to the addresses of the
	// module's file; before, the offset in that file of what is at Start.
	Offset  uint64
	BuildID []byte // none before raw version 3, and where the linker wrote none
	Path    string // of its file on the machine where it ran; only the runtime's report says so
	File    string // the executable that was given for it; empty when none was
}

// Frame is a level of a call stack: a place in a function, or an address.
type Frame struct {
	Function   uint64 // GUID: the first eight MD5 bytes of the canonical linkage name; 0 where it is not known
	LineOffset uint32 // lines below the function's first, modulo 2^32
	Column     uint32
	Inline     bool // inlined into the next frame of the stack

	// What debug info or a report said; empty, and 0, in indexed files.
	Name          string // canonical linkage name; demangled in a runtime's report
	File          string // as recorded
	Line          uint32 // of File, 0 where unknown
	Discriminator uint32

	// Where Function is not known.
	Module int32 // in HeapProfile.Modules; -1 where none has the address, or where Function is known
	// in the module's file: a virtual address, before raw version 3 an offset; in the process where Module is -1
	Address uint64
}

// StartLine is the line that the function begins on, 0 where it is not known.
func (f *Frame) StartLine() uint32 {
	if f.Function == 0 || f.Line <= f.LineOffset {
		return 0
	}
	return f.Line - f.LineOffset
}

// StackNode is a frame called from a stack: the tree of calls that all stacks
// are paths of. A stack is named by the node of its leaf.
type StackNode struct {
	Frame  uint32  // in HeapProfile.Frames
	Caller StackID // NoStack for a root
	Depth  uint32  // how many frames the stack has; 1 for a root
}

// StackID is an index in HeapProfile.Stacks.
type StackID int32

// NoStack is the caller of a root.
const NoStack StackID = -1

// Context is an allocation context: what one call stack allocated.
type Context struct {
	Stack StackID
	MIB   MIB
	// ID is the number that a raw profile or a report gave the stack; 0 elsewhere.
	ID uint64
	// Truncated: the stack has as many addresses as the runtime records, and others have
	// as many: it is probably cut off at the root. Of raw profiles alone.
	Truncated bool
}

// Record is what an indexed profile has of one function (memprof.md §3.8):
// the contexts whose allocation it, or what is inlined into its caller, makes;
// and the calls in it that lead to allocations.
type Record struct {
	Function   uint64   // GUID
	AllocSites []uint32 // in HeapProfile.Contexts
	CallSites  []CallSite
}

// CallSite is a call on the way to an allocation: the frames that one address
// was inlined from, leaf first.
type CallSite struct {
	Stack   StackID
	Callees []uint64 // GUIDs of what an indirect call may call; mostly none
}

// DataAccess is a data access profile (memprof.md §3.9): how often static data
// was touched.
type DataAccess struct {
	Records     []DataAccessRecord
	ColdSymbols []string // known to be untouched
	ColdHashes  []uint64 // of string literals known to be untouched
}

// DataAccessRecord is one symbol, or one string literal by the hash of its
// content.
type DataAccessRecord struct {
	Symbol      string // empty for a string literal
	Hash        uint64 // of a string literal
	IsString    bool   // a string literal
	AccessCount uint64
	Locations   []DataLocation
}

// DataLocation is where data is declared.
type DataLocation struct {
	File string `col:"file"`
	Line uint32 `col:"line"`
}

// Summary is the summary of memprof.md §3.3, over distinct call stacks.
type Summary struct {
	NumContexts, NumColdContexts, NumHotContexts        uint64
	MaxColdTotalSize, MaxWarmTotalSize, MaxHotTotalSize uint64 // bytes
}

// Stack yields the frames of a stack, leaf first.
func (p *Profile) Stack(id StackID) iter.Seq[*Frame] {
	return func(yield func(*Frame) bool) {
		for ; id != NoStack; id = p.Stacks[id].Caller {
			if !yield(&p.Frames[p.Stacks[id].Frame]) {
				return
			}
		}
	}
}

// Leaf is the innermost frame of a stack: the place that allocates.
func (p *Profile) Leaf(id StackID) *Frame { return &p.Frames[p.Stacks[id].Frame] }

// Distinct is the contexts with those of one call stack merged into one
// (memprof.md §2.6), in the order in which each was first seen. Several of one
// stack come of addresses in a loop that was unrolled, and of inputs that
// llvm-profdata did not merge. It returns Contexts itself when there are none.
func (p *Profile) Distinct() []Context {
	first := make(map[StackID]int, len(p.Contexts))
	for i, c := range p.Contexts {
		if _, ok := first[c.Stack]; !ok {
			first[c.Stack] = i
		}
	}
	if len(first) == len(p.Contexts) {
		return p.Contexts
	}
	out := make([]Context, 0, len(first))
	for i, c := range p.Contexts {
		at := first[c.Stack]
		if at == i {
			first[c.Stack] = len(out)
			c.MIB = c.MIB.Clone()
			out = append(out, c)
			continue
		}
		out[at].MIB.Merge(&c.MIB)
		out[at].Truncated = out[at].Truncated || c.Truncated
	}
	return out
}

// MIBField is a field of a MIB, by its tag (memprof.md §1.4).
type MIBField uint8

// The fields; times are in milliseconds, sizes in bytes. Densities are accesses
// per byte times 100, lifetime densities that per second.
const (
	AllocCount MIBField = 1 + iota
	TotalAccessCount
	MinAccessCount
	MaxAccessCount
	TotalSize
	MinSize
	MaxSize
	AllocTimestamp
	DeallocTimestamp
	TotalLifetime
	MinLifetime
	MaxLifetime
	AllocCPUID
	DeallocCPUID
	NumMigratedCPU
	NumLifetimeOverlaps
	NumSameAllocCPU
	NumSameDeallocCPU
	DataTypeID
	TotalAccessDensity
	MinAccessDensity
	MaxAccessDensity
	TotalLifetimeAccessDensity
	MinLifetimeAccessDensity
	MaxLifetimeAccessDensity
	AccessHistogramSize
	AccessHistogram      // the address of a histogram that is no more
	NumMIBFields    = 27 // the last tag
)

type mibField struct {
	name string
	size uint8 // bytes
	rule mergeRule
}

// mibFields are the fields by tag.
var mibFields = [NumMIBFields + 1]mibField{
	AllocCount:                 {"AllocCount", 4, sum},
	TotalAccessCount:           {"TotalAccessCount", 8, sum},
	MinAccessCount:             {"MinAccessCount", 8, minimum},
	MaxAccessCount:             {"MaxAccessCount", 8, maximum},
	TotalSize:                  {"TotalSize", 8, sum},
	MinSize:                    {"MinSize", 4, minimum},
	MaxSize:                    {"MaxSize", 4, maximum},
	AllocTimestamp:             {"AllocTimestamp", 4, last},
	DeallocTimestamp:           {"DeallocTimestamp", 4, last},
	TotalLifetime:              {"TotalLifetime", 8, sum},
	MinLifetime:                {"MinLifetime", 4, minimum},
	MaxLifetime:                {"MaxLifetime", 4, maximum},
	AllocCPUID:                 {"AllocCpuId", 4, last},
	DeallocCPUID:               {"DeallocCpuId", 4, last},
	NumMigratedCPU:             {"NumMigratedCpu", 4, keep},
	NumLifetimeOverlaps:        {"NumLifetimeOverlaps", 4, keep},
	NumSameAllocCPU:            {"NumSameAllocCpu", 4, keep},
	NumSameDeallocCPU:          {"NumSameDeallocCpu", 4, keep},
	DataTypeID:                 {"DataTypeId", 8, keep},
	TotalAccessDensity:         {"TotalAccessDensity", 8, sum},
	MinAccessDensity:           {"MinAccessDensity", 4, minimum},
	MaxAccessDensity:           {"MaxAccessDensity", 4, maximum},
	TotalLifetimeAccessDensity: {"TotalLifetimeAccessDensity", 8, sum},
	MinLifetimeAccessDensity:   {"MinLifetimeAccessDensity", 4, minimum},
	MaxLifetimeAccessDensity:   {"MaxLifetimeAccessDensity", 4, maximum},
	AccessHistogramSize:        {"AccessHistogramSize", 4, maximum},
	AccessHistogram:            {"AccessHistogram", 8, keep},
}

// String is the field's name in LLVM.
func (f MIBField) String() string { return mibFields[min(f, NumMIBFields)].name }

// Size is the field's size in files, 4 or 8 bytes.
func (f MIBField) Size() int { return int(mibFields[min(f, NumMIBFields)].size) }

// MIBFieldOf finds a field by its name.
func MIBFieldOf(name string) (MIBField, bool) {
	i := slices.IndexFunc(mibFields[1:], func(f mibField) bool { return f.name == name })
	return MIBField(i + 1), i >= 0
}

// MIBSchema is a set of fields: bit n stands for the field with tag n.
type MIBSchema uint32

// Schemas that releases of LLVM write.
const (
	DefaultSchema  = MIBSchema(1<<AllocCount | 1<<TotalSize | 1<<TotalLifetime | 1<<TotalLifetimeAccessDensity)
	SchemaToTag19  = MIBSchema(1<<(DataTypeID+1) - 2)               // raw version 1, LLVM 15
	SchemaToTag25  = MIBSchema(1<<(MaxLifetimeAccessDensity+1) - 2) // raw versions 2 and 3, LLVM 16 to 18
	CompleteSchema = MIBSchema(1<<(NumMIBFields+1) - 2)
	// the runtime's text report
	ReportedSchema = MIBSchema(1<<AllocCount | 1<<TotalAccessCount | 1<<MinAccessCount | 1<<MaxAccessCount |
		1<<TotalSize | 1<<MinSize | 1<<MaxSize | 1<<TotalLifetime | 1<<MinLifetime | 1<<MaxLifetime |
		1<<NumMigratedCPU | 1<<NumLifetimeOverlaps | 1<<NumSameAllocCPU | 1<<NumSameDeallocCPU)
)

// Has reports whether the schema has a field.
func (s MIBSchema) Has(f MIBField) bool { return s>>f&1 != 0 }

// Len is how many fields the schema has.
func (s MIBSchema) Len() int { return bits.OnesCount32(uint32(s)) }

// Fields yields the schema's fields in the order of their tags.
func (s MIBSchema) Fields() iter.Seq[MIBField] {
	return func(yield func(MIBField) bool) {
		for ; s != 0; s &= s - 1 {
			if !yield(MIBField(bits.TrailingZeros32(uint32(s)))) {
				return
			}
		}
	}
}

// Words are the names of the schema's fields.
func (s MIBSchema) Words() []string {
	words := []string{}
	for f := range s.Fields() {
		words = append(words, f.String())
	}
	return words
}

// MIB is a memory info block: what is known of the objects of one context
// (memprof.md §1.4). A field that its schema lacks is unknown, not 0.
type MIB struct {
	Schema MIBSchema
	Values []uint64 // of the schema's fields, in the order of their tags
	// Histogram has, for a context of a program built with access histograms,
	// how often each eight bytes of the objects were accessed.
	Histogram []uint64
}

// Value is a field, false when it is not known.
func (m *MIB) Value(f MIBField) (uint64, bool) {
	if !m.Schema.Has(f) {
		return 0, false
	}
	return m.Values[m.index(f)], true
}

// Get is a field, 0 when it is not known.
func (m *MIB) Get(f MIBField) uint64 {
	v, _ := m.Value(f)
	return v
}

// index is where the value of a field of the schema stands.
func (m *MIB) index(f MIBField) int {
	return bits.OnesCount32(uint32(m.Schema & (1<<f - 1)))
}

// Clone is a copy that shares nothing with m.
func (m *MIB) Clone() MIB {
	return MIB{Schema: m.Schema, Values: slices.Clone(m.Values), Histogram: slices.Clone(m.Histogram)}
}

// Describe says what a file that holds a heap profile alone is: "MemProf raw v5".
func Describe(format model.Format, version uint64) string {
	switch format {
	case FormatYAML:
		return "MemProf YAML"
	case FormatReport:
		return "MemProf text report"
	}
	return fmt.Sprintf("MemProf raw v%d", version)
}
