package instrprof

import "strings"

// Variant is the upper half of the version word of an LLVM instrumentation
// profile: which instrumentation wrote it (instrprof.md §2.1).
type Variant uint64

// The variant flags, by LLVM's names without the VARIANT_MASK_ prefix.
const (
	InstrLoopEntries  Variant = 1 << 55 // loop entry blocks are always instrumented
	IRProf            Variant = 1 << 56 // IR instrumentation; clear is front end
	CSIRProf          Variant = 1 << 57 // has context-sensitive IR records
	InstrEntry        Variant = 1 << 58 // counter 0 is the function's entry count
	DbgCorrelate      Variant = 1 << 59 // data and names are in the debug info
	ByteCoverage      Variant = 1 << 60 // single-byte counters, executed or not
	FunctionEntryOnly Variant = 1 << 61 // only function entries are instrumented
	MemProf           Variant = 1 << 62 // an indexed file with a MemProf section
	TemporalProf      Variant = 1 << 63 // first counters were timestamps

	versionMask = 1<<32 - 1
)

// SplitVersion separates a version word into the format version (low 32 bits)
// and the variant flags (high 32 bits).
func SplitVersion(word uint64) (version uint64, v Variant) {
	return word & versionMask, Variant(word &^ versionMask)
}

// Has reports whether every flag of f is set.
func (v Variant) Has(f Variant) bool { return v&f == f }

var variantWords = []struct {
	flag Variant
	word string
}{
	{CSIRProf, "context-sensitive"},
	{InstrEntry, "entry first"},
	{InstrLoopEntries, "loop entries"},
	{ByteCoverage, "byte coverage"},
	{FunctionEntryOnly, "function entries only"},
	{TemporalProf, "temporal"},
	{DbgCorrelate, "debug-info correlated"},
	{MemProf, "MemProf"},
}

// Words names the flags for a person, "IR" or "front end" first.
func (v Variant) Words() []string {
	words := []string{"front end"}
	if v.Has(IRProf) {
		words[0] = "IR"
	}
	for _, w := range variantWords {
		if v.Has(w.flag) {
			words = append(words, w.word)
		}
	}
	return words
}

// String is Words joined by ", ".
func (v Variant) String() string { return strings.Join(v.Words(), ", ") }
