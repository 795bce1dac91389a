package instrprof

// ValueKind says what a value site recorded (instrprof.md §2.6).
type ValueKind uint8

// The value kinds, numbered as in the files.
const (
	IndirectCallTarget ValueKind = iota // values are NameRefs of the functions called, 0 where unknown
	MemOPSize                           // values are sizes in bytes, bucketed by the runtime
	VTableTarget                        // values are NameRefs of vtables, 0 where unknown
	NumValueKinds      = 3
)

// String gives LLVM's name of the kind, as in the text format.
func (k ValueKind) String() string {
	switch k {
	case IndirectCallTarget:
		return "IPVK_IndirectCallTarget"
	case MemOPSize:
		return "IPVK_MemOPSize"
	case VTableTarget:
		return "IPVK_VTableTarget"
	}
	return "IPVK_Unknown"
}

// Value is one observed value of a value site and how often it was seen.
type Value struct{ Value, Count uint64 }

// ValueSite is what one site recorded, in the file's order; after merging by
// descending count. It may be empty.
type ValueSite []Value

// The bit and the special counts that records carry.
const (
	// CSFlagInFuncHash marks a context-sensitive record in the FuncHash of an
	// IR profile (CS_FLAG_IN_FUNC_HASH). It means nothing in front-end hashes.
	CSFlagInFuncHash uint64 = 1 << 60
	// PseudoHot and PseudoWarm, as first counter, mark a record that profile
	// supplementation wrote instead of counts.
	PseudoHot  uint64 = 1<<64 - 1
	PseudoWarm uint64 = 1<<64 - 2
	// MaxCount is the largest legal counter; merging saturates here.
	MaxCount uint64 = 1<<64 - 3
)

// Function is one function record: the counters of one FuncHash of one name.
// Iterators reuse it and all its slices: copy what must outlive the step.
type Function struct {
	Name     []byte // the PGO name, empty when the file has none for NameRef; bytes, not always UTF-8
	NameRef  uint64 // first eight MD5 bytes of the PGO name, little-endian
	FuncHash uint64
	Counters []uint64
	Bitmap   []byte // MC/DC bitmap bytes
	// Uniformity holds the uniformity bits of indexed v14, UniformCounters the
	// uniform counters of raw v11: both from GPU offload profiling.
	Uniformity      []byte
	UniformCounters []uint64
	Sites           [NumValueKinds][]ValueSite

	Offset, Size uint64 // where the record stands in the file; 0, 0 once merged from several
	Item         uint64 // where the item of an indexed file begins that the record is in; 0 elsewhere
	Run          int    // number of its profile in a raw file, from 1; 0 elsewhere
	// Repeats is how many records of the same name and FuncHash stood behind this
	// one in the only file, and were added to it; 0 once several files are merged.
	Repeats uint64
}

// IsPseudo reports whether the record holds a pseudo count instead of counters.
func (f *Function) IsPseudo() bool {
	return len(f.Counters) > 0 && f.Counters[0] >= PseudoWarm
}

// HasSites reports whether the record has a value site of any kind.
func (f *Function) HasSites() bool {
	return len(f.Sites[0])+len(f.Sites[1])+len(f.Sites[2]) > 0
}

// IsCS reports whether the record is context-sensitive, given the profile's
// variant: the flag bit counts only in IR profiles.
func (f *Function) IsCS(v Variant) bool {
	return v.Has(IRProf) && f.FuncHash&CSFlagInFuncHash != 0
}

// Trace is one temporal trace: functions in the order in which they first ran.
type Trace struct {
	Weight   uint64
	NameRefs []uint64
	Input    int // the number of its file, from 1, among several that were added up; else 0
}
