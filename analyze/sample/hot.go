package sample

import (
	"cmp"
	"slices"

	"proflens/decode/sampleprof"
)

// Figures are those of one function with all that it inlined.
type Figures struct {
	Sum    uint64 // of all counts, which is no total: see [sampleprof.Function]
	Max    uint64 // the largest count
	Places int    // that have a count
}

// FiguresOf adds up a function's counts and those that it inlined.
func FiguresOf(f *sampleprof.Function) (g Figures) {
	f.Each(func(f *sampleprof.Function) {
		for i := range f.Body {
			g.Sum = sampleprof.Add(g.Sum, f.Body[i].Count)
			g.Max = max(g.Max, f.Body[i].Count)
		}
		g.Places += len(f.Body)
	})
	return g
}

// sumOf adds up the counts modulo 2^64, as llvm-profdata overlap does.
func sumOf(f *sampleprof.Function) (sum uint64) {
	f.Each(func(f *sampleprof.Function) {
		for i := range f.Body {
			sum += f.Body[i].Count
		}
	})
	return sum
}

// HotList is what llvm-profdata show --hot-func-list says (sampleprof.md §9.2).
type HotList struct {
	Threshold uint64 // the smallest count that is hot
	Functions int    // of the profile
	// Samples are the totals of all functions added up, HotSamples those of the hot ones;
	// both modulo 2^64, as the tool adds them.
	Samples, HotSamples uint64
	Rows                []HotRow // by total, descending
}

// HotRow is a function with a hot count.
type HotRow struct {
	Function          *sampleprof.Function
	Total, Max, Entry uint64
}

// Hot lists the functions of which a count, of inlined code too, is among those that make
// up 99 % of all samples.
func Hot(p *sampleprof.Profile) *HotList {
	list := &HotList{Functions: len(p.Functions), Threshold: HotThreshold(p)}
	for _, f := range p.Table().Functions() {
		list.Samples += f.Total
		if most := FiguresOf(f).Max; most >= list.Threshold {
			list.HotSamples += f.Total
			list.Rows = append(list.Rows, HotRow{f, f.Total, most, p.Entry(f)})
		}
	}
	slices.SortStableFunc(list.Rows, func(a, b HotRow) int { return cmp.Compare(b.Total, a.Total) })
	return list
}

// HotThreshold is the smallest hot count, by the summary; 0 where that does not say.
func HotThreshold(p *sampleprof.Profile) uint64 { return HotCount(Summary(p)) }

// HotCount is the smallest hot count by a summary; 0 where that does not say.
func HotCount(s *sampleprof.Summary) uint64 {
	for _, e := range s.Entries {
		if e.Cutoff == HotCutoff {
			return e.MinCount
		}
	}
	return 0
}
