package sample

import (
	"math/bits"
	"slices"

	"proflens/decode/sampleprof"
)

// Cutoffs are the shares of all samples, in millionths, of which a summary says which
// counts make them up.
var Cutoffs = []uint64{
	10000, 100000, 200000, 300000, 400000, 500000, 600000, 700000, 800000, 900000, 950000, 990000, 999000, 999900, 999990,
	999999,
}

// The cutoffs by which counts are hot, and cold.
const (
	HotCutoff  = 990000
	ColdCutoff = 999999
)

// Summary is what the file says of its counts or, where it says nothing, what
// [Summarise] computes.
func Summary(p *sampleprof.Profile) *sampleprof.Summary {
	if p.Summary != nil {
		return p.Summary
	}
	return Summarise(p)
}

// Summarise computes a summary (sampleprof.md §9.1). In a profile with contexts it is of
// the functions, with their contexts added up.
func Summarise(p *sampleprof.Profile) *sampleprof.Summary {
	leaves := p.WithoutContexts()
	s := &sampleprof.Summary{Functions: uint64(len(leaves.Functions))}
	var counts []uint64
	for _, f := range leaves.Functions {
		s.MaxFunction = max(s.MaxFunction, f.Head)
		counts = appendCounts(counts, f)
	}
	slices.Sort(counts)
	slices.Reverse(counts)
	for _, n := range counts {
		s.Total += n
	}
	if s.Counts = uint64(len(counts)); s.Counts > 0 {
		s.MaxCount = counts[0]
	}
	s.Entries = entries(counts, s.Total)
	return s
}

// appendCounts adds the counts of a function and of what it inlined, but for callees that
// were merged into their base profile and are counted there.
func appendCounts(to []uint64, f *sampleprof.Function) []uint64 {
	for i := range f.Body {
		to = append(to, f.Body[i].Count)
	}
	for _, s := range f.Sites {
		if s.Callee.Attributes&sampleprof.MergedIntoBase == 0 {
			to = appendCounts(to, s.Callee)
		}
	}
	return to
}

// entries are the counts, largest first, that make up each share of the total.
func entries(counts []uint64, total uint64) []sampleprof.SummaryEntry {
	list := make([]sampleprof.SummaryEntry, 0, len(Cutoffs))
	sum, last, taken := uint64(0), uint64(0), 0
	for _, cutoff := range Cutoffs {
		want := share(total, cutoff)
		for sum < want && taken < len(counts) {
			last = counts[taken]
			for taken < len(counts) && counts[taken] == last {
				sum += last
				taken++
			}
		}
		list = append(list, sampleprof.SummaryEntry{Cutoff: cutoff, MinCount: last, Counts: uint64(taken)})
	}
	return list
}

// share is so many millionths of a number, rounded down.
func share(n, millionths uint64) uint64 {
	high, low := bits.Mul64(n, millionths)
	quotient, _ := bits.Div64(high, low, 1000000)
	return quotient
}
