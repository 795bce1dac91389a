package analyze

import (
	"slices"

	"proflens/decode/instrprof"
)

// DefaultCutoffs are the shares, in parts per million, of LLVM's detailed
// summary (instrprof.md §6.3).
var DefaultCutoffs = []uint64{
	10000, 100000, 200000, 300000, 400000, 500000, 600000, 700000, 800000,
	900000, 950000, 990000, 999000, 999900, 999990, 999999,
}

// Summarizer computes LLVM's profile summary from records, to the bit
// (instrprof.md §6.3). Context-sensitive records have a summary of their own:
// use two. The zero value is ready.
//
// It keeps eight bytes for every counter of 16384 or more, which takes at least
// six in any encoding of a profile, and 384 KiB for all else. Summary takes up
// to twice that again, usually a small part of it.
type Summarizer struct {
	sum   instrprof.Summary
	exact Sum // TotalCount, before it wraps
	// small counts the counters below smallCounts by value, and in its last
	// element all others.
	small *[smallCounts + 1]uint64
	// large holds those others, in the order met, in chunks of chunkCounts so
	// that growing copies nothing. Of the last chunk, free is what is unused.
	large [][]uint64
	free  []uint64
}

const (
	smallCounts = 1 << 14
	chunkCounts = 1 << 15
)

// Add counts a record. A pseudo count is none.
func (s *Summarizer) Add(f *instrprof.Function) {
	if !f.IsPseudo() {
		s.AddCounters(f.Counters)
	}
}

// AddCounters counts the counters of a record that is not a pseudo count.
func (s *Summarizer) AddCounters(counters []uint64) {
	s.sum.NumFunctions++
	if len(counters) == 0 {
		return
	}
	s.sum.NumCounts += uint64(len(counters))
	s.sum.MaxFunctionCount = max(s.sum.MaxFunctionCount, counters[0])
	s.exact.Add(counters[0])
	internal := uint64(0)
	for _, v := range counters[1:] {
		internal = max(internal, v)
		s.exact.Add(v)
	}
	s.sum.MaxInternalCount = max(s.sum.MaxInternalCount, internal)
	s.count(counters)
}

// count files the counters by value. Small and large ones alternate without a
// pattern, so it does not branch on them: every counter is written to the free
// place, which only a large one takes.
func (s *Summarizer) count(counters []uint64) {
	if s.small == nil {
		s.small = new([smallCounts + 1]uint64)
	}
	for len(counters) > 0 {
		if len(s.free) == 0 {
			s.free = make([]uint64, chunkCounts)
			s.large = append(s.large, s.free)
		}
		piece := counters[:min(len(counters), len(s.free))]
		taken := 0
		for _, v := range piece {
			value := min(v, smallCounts)
			s.small[value]++
			s.free[taken] = v
			taken += int(value / smallCounts)
		}
		s.free = s.free[taken:]
		counters = counters[len(piece):]
	}
}

// AddAll counts the records that another has counted, and takes over what it holds.
func (s *Summarizer) AddAll(o *Summarizer) {
	s.sum.NumFunctions += o.sum.NumFunctions
	s.sum.NumCounts += o.sum.NumCounts
	s.sum.MaxFunctionCount = max(s.sum.MaxFunctionCount, o.sum.MaxFunctionCount)
	s.sum.MaxInternalCount = max(s.sum.MaxInternalCount, o.sum.MaxInternalCount)
	s.exact.AddSum(o.exact)
	s.large, s.free = append(s.chunks(), o.chunks()...), nil
	if s.small == nil {
		s.small = o.small
	} else if o.small != nil {
		for v, n := range o.small {
			s.small[v] += n
		}
	}
}

// chunks are the large counters.
func (s *Summarizer) chunks() [][]uint64 {
	if len(s.large) == 0 {
		return nil
	}
	chunks := slices.Clone(s.large)
	last := &chunks[len(chunks)-1]
	*last = (*last)[:len(*last)-len(s.free)]
	return chunks
}

// Total is the exact sum of all counters; the summary's wraps at 2^64.
func (s *Summarizer) Total() Sum { return s.exact }

// Summary is the summary of the records so far, with the default cutoffs.
func (s *Summarizer) Summary() *instrprof.Summary { return s.SummaryAt(DefaultCutoffs) }

// SummaryAt is the summary with cutoffs of one's own, in ascending order.
func (s *Summarizer) SummaryAt(cutoffs []uint64) *instrprof.Summary {
	sum := s.sum
	sum.MaxCount = max(sum.MaxFunctionCount, sum.MaxInternalCount)
	sum.TotalCount = s.exact.Lo
	sum.Detailed = s.detailed(cutoffs)
	return &sum
}
