package instrprof

import (
	"cmp"
	"slices"
)

// maxValuesPerSite is how many values a site keeps
// (INSTR_PROF_MAX_NUM_VAL_PER_SITE).
const maxValuesPerSite = 255

// siteMerge merges value sites, reusing its memory.
type siteMerge struct {
	input, merged []Value
}

// merge adds the values of in, weight times, to those of site, and returns the
// result, by descending count. A value that site does not have comes with its
// own count, whatever the weight: that is what LLVM does.
func (s *siteMerge) merge(site, in ValueSite, weight uint64, w *warnings) ValueSite {
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

func sortByValue(site []Value) {
	slices.SortStableFunc(site, func(a, b Value) int { return cmp.Compare(a.Value, b.Value) })
}

// sortByCount sorts a site in place and returns as many as it may keep.
func sortByCount(site []Value) ValueSite {
	byCount := func(a, b Value) int { return cmp.Compare(b.Count, a.Count) }
	if !slices.IsSortedFunc(site, byCount) {
		slices.SortStableFunc(site, byCount)
	}
	return site[:min(len(site), maxValuesPerSite)]
}
