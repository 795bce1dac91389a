package sums

import (
	"cmp"
	"slices"

	"proflens/decode/instrprof"
)

// maxValuesPerSite is how many values a site keeps
// (INSTR_PROF_MAX_NUM_VAL_PER_SITE).
const maxValuesPerSite = 255

// siteMerge merges value sites, reusing its memory.
type siteMerge struct {
	input, merged []instrprof.Value
}

// merge adds the values of in, weight times, to those of site, and returns the
// result, by descending count. A value that site does not have comes with its
// own count, whatever the weight: that is what LLVM does.
func (s *siteMerge) merge(site, in instrprof.ValueSite, weight uint64, w *warnings) instrprof.ValueSite {
	if len(in) == 0 && settled(site) {
		return site
	}
	s.input = append(s.input[:0], in...)
	sortByValue(site)
	sortByValue(s.input)
	out := s.merged[:0]
	i := 0
	for _, v := range s.input {
		for i < len(site) && site[i].Value < v.Value {
			out = append(out, site[i])
			i++
		}
		if i < len(site) && site[i].Value == v.Value {
			v.Count = satMulAdd(site[i].Count, v.Count, weight, w)
			i++
		}
		out = append(out, v)
	}
	out = append(out, site[i:]...)
	s.merged = out
	return append(site[:0], sortByCount(out)...)
}

// settled reports whether merging nothing leaves a site as it is: it is by descending
// count, and values of one count are in their order.
func settled(site instrprof.ValueSite) bool {
	for i := 1; i < len(site); i++ {
		if a, b := site[i-1], site[i]; a.Count < b.Count || a.Count == b.Count && a.Value > b.Value {
			return false
		}
	}
	return len(site) <= maxValuesPerSite
}

func sortByValue(site []instrprof.Value) {
	if len(site) > fewValues {
		slices.SortStableFunc(site, func(a, b instrprof.Value) int { return cmp.Compare(a.Value, b.Value) })
		return
	}
	for i := 1; i < len(site); i++ {
		for j := i; j > 0 && site[j].Value < site[j-1].Value; j-- {
			site[j], site[j-1] = site[j-1], site[j]
		}
	}
}

// fewValues is how many values are sorted by moving each to its place. Most sites have
// one to four.
const fewValues = 24

// sortByCount sorts a site in place and returns as many as it may keep.
func sortByCount(site []instrprof.Value) instrprof.ValueSite {
	if len(site) > fewValues {
		slices.SortStableFunc(site, func(a, b instrprof.Value) int { return cmp.Compare(b.Count, a.Count) })
		return site[:min(len(site), maxValuesPerSite)]
	}
	for i := 1; i < len(site); i++ {
		for j := i; j > 0 && site[j].Count > site[j-1].Count; j-- {
			site[j], site[j-1] = site[j-1], site[j]
		}
	}
	return site
}
