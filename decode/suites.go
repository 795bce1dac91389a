package decode

import (
	"slices"

	"proflens/decode/dcpi"
	"proflens/decode/format"
	"proflens/decode/llvm"
	"proflens/decode/mip"
	"proflens/decode/sampleprof"
)

// suites is every suite, in the order in which they are asked what a file is:
// those that look closest come first.
var suites = []*format.Suite{
	mip.Suite,
	dcpi.Suite,
	sampleprof.Suite,
	llvm.Suite,
}

func init() {
	list := ""
	for _, s := range slices.Backward(suites[1:]) {
		list += ", " + s.Reads
	}
	format.Wanted = "an " + list[2:] + " or " + suites[0].Reads + " profile"
}

// Formats yields every format that can be read.
func Formats(yield func(*format.Format) bool) {
	for _, s := range suites {
		for _, f := range s.Formats {
			if !yield(f) {
				return
			}
		}
	}
}

// Sums are the names of the exports that merged profiles are written as.
func Sums() []string {
	var names []string
	for _, s := range suites {
		for _, name := range []string{s.Sum, s.SumText} {
			if name != "" {
				names = append(names, name)
			}
		}
	}
	return names
}

// suiteOf is the suite of a format.
func suiteOf(f *format.Format) *format.Suite {
	for _, s := range suites {
		if slices.Contains(s.Formats, f) {
			return s
		}
	}
	return nil
}
