package analyze

import (
	"math/bits"

	"proflens/decode/model"
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
// six in any encoding of a profile, and 128 KiB for all those below. Summary
// takes up to twice that again, usually a small part of it.
type Summarizer struct {
	sum   model.Summary
	exact Sum // TotalCount, before it wraps
	small *[smallCounts]uint64
	// large holds the other counters, in the order met, in chunks of equal
	// size so that growing copies nothing.
	large [][]uint64
}

const (
	smallCounts = 1 << 14
	chunkCounts = 1 << 15
)

// Add counts a record. A pseudo count is none.
func (s *Summarizer) Add(f *model.Function) {
	if !f.IsPseudo() {
		s.AddCounters(f.Counters)
	}
}

// AddCounters counts the counters of a record that is not a pseudo count.
func (s *Summarizer) AddCounters(counters []uint64) {
	if s.small == nil {
		s.small = new([smallCounts]uint64)
	}
	s.sum.NumFunctions++
	if len(counters) == 0 {
		return
	}
	s.sum.NumCounts += uint64(len(counters))
	s.sum.MaxFunctionCount = max(s.sum.MaxFunctionCount, counters[0])
	internal := uint64(0)
	total, carries := s.exact.Lo, uint64(0)
	for i, v := range counters {
		var carry uint64
		total, carry = bits.Add64(total, v, 0)
		carries += carry
		if i > 0 && v > internal {
			internal = v
		}
		if v < smallCounts {
			s.small[v]++
		} else {
			s.addLarge(v)
		}
	}
	s.exact.Lo = total
	s.exact.Hi += carries
	s.sum.MaxInternalCount = max(s.sum.MaxInternalCount, internal)
}

func (s *Summarizer) addLarge(v uint64) {
	n := len(s.large)
	if n == 0 || len(s.large[n-1]) == chunkCounts {
		s.large = append(s.large, make([]uint64, 0, chunkCounts))
		n++
	}
	s.large[n-1] = append(s.large[n-1], v)
}

// Total is the exact sum of all counters; the summary's wraps at 2^64.
func (s *Summarizer) Total() Sum { return s.exact }

// Summary is the summary of the records so far, with the default cutoffs.
func (s *Summarizer) Summary() *model.Summary {
	sum := s.sum
	sum.MaxCount = max(sum.MaxFunctionCount, sum.MaxInternalCount)
	sum.TotalCount = s.exact.Lo
	sum.Detailed = s.detailed(DefaultCutoffs)
	return &sum
}
