package instrprof

// BitmapLayout says what the bits of MC/DC bitmaps stand for. Bit i of a function is
// bit i%8 of its byte i/8. Which bits are of which decision, the coverage mapping of
// the program says, and no profile.
type BitmapLayout string

// The layouts.
const (
	// TestVectors, since LLVM 19 (raw version 10, indexed version 12): each decision
	// has a bit for each of its test vectors, and decisions follow one another bit by
	// bit; their index in the mapping is that of the bit behind their last.
	TestVectors BitmapLayout = "test-vectors"
	// ConditionMasks, of LLVM 18: each decision of n conditions has 2^n bits, rounded up
	// to bytes, from a byte of its own on; the bit is the sum of 2^id over the
	// conditions that are true.
	ConditionMasks BitmapLayout = "condition-masks"
	// UnknownLayout is of text, which does not say by which version it was written, and
	// of merged files of several formats.
	UnknownLayout BitmapLayout = ""
)

// BitmapLayout is that of the profile's bitmaps.
func (i *Info) BitmapLayout() BitmapLayout {
	switch {
	case i.Format == FormatRaw && i.Version >= 10, i.Format == FormatIndexed && i.Version >= 12:
		return TestVectors
	case i.Format == FormatRaw, i.Format == FormatIndexed:
		return ConditionMasks
	}
	return UnknownLayout
}
