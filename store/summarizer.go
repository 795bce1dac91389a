package store

import (
	"math/bits"
	"slices"

	"proflens/decode/model"
)

// summarizer computes the summary of instrprof.md §6.3.
type summarizer struct {
	s    model.Summary
	freq map[uint64]uint64
}

func (z *summarizer) Add(f *model.Function) {
	if f.IsPseudo() {
		return
	}
	if z.freq == nil {
		z.freq = map[uint64]uint64{}
	}
	z.s.NumFunctions++
	for j, v := range f.Counters {
		z.s.NumCounts++
		z.s.TotalCount += v
		z.s.MaxCount = max(z.s.MaxCount, v)
		z.freq[v]++
		if j == 0 {
			z.s.MaxFunctionCount = max(z.s.MaxFunctionCount, v)
		} else {
			z.s.MaxInternalCount = max(z.s.MaxInternalCount, v)
		}
	}
}

func (z *summarizer) Summary() *model.Summary {
	s := z.s
	counts := make([]uint64, 0, len(z.freq))
	for v := range z.freq {
		counts = append(counts, v)
	}
	slices.SortFunc(counts, func(a, b uint64) int {
		if a > b {
			return -1
		}
		return 1
	})
	var sum, seen, cur uint64
	for _, cutoff := range []uint64{10000, 100000, 200000, 300000, 400000, 500000, 600000, 700000, 800000, 900000, 950000, 990000, 999000, 999900, 999990, 999999} {
		hi, lo := bits.Mul64(s.TotalCount, cutoff)
		desired, _ := bits.Div64(hi, lo, 1000000)
		for sum < desired && len(counts) > 0 {
			cur = counts[0]
			counts = counts[1:]
			sum += cur * z.freq[cur]
			seen += z.freq[cur]
		}
		s.Detailed = append(s.Detailed, model.SummaryEntry{Cutoff: cutoff, MinCount: cur, NumCounts: seen})
	}
	return &s
}
