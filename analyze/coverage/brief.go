package coverage

import "proflens/decode/covmap"

// brief is what tables of files and functions need of a function, in place of its
// regions, which are most of what a coverage takes in memory.
type brief struct {
	numbers Summary
	start   covmap.Position
	count   uint64
	places  uint64 // of its regions, to tell it from others
}

// shorten leaves of the last function its numbers alone.
func (j *joiner) shorten(f *Function) {
	f.brief = &brief{j.numbers.of(f), f.Start(), f.Count(), j.places(f)}
	f.Regions, f.Branches, f.Decisions = nil, nil, nil
	j.giveBack()
}
