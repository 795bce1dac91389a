package analyze

import (
	"cmp"
	"slices"

	"proflens/decode/instrprof"
)

// fewValues is up to how many values two sites are compared without sorting.
const fewValues = 8

// eachCommon calls visit with both counts of every value that two sites have in
// common, in ascending order of the values where there are many. Equal values
// of one site pair one to one with those of the other.
func eachCommon(base, test instrprof.ValueSite, visit func(base, test uint64)) {
	if len(base) == 0 || len(test) == 0 {
		return
	}
	if len(base) <= fewValues && len(test) <= fewValues && distinct(base) && distinct(test) {
		for _, b := range base {
			for _, t := range test {
				if b.Value == t.Value {
					visit(b.Count, t.Count)
				}
			}
		}
		return
	}
	base, test = byValue(base), byValue(test)
	for i, j := 0, 0; i < len(base) && j < len(test); {
		switch c := cmp.Compare(base[i].Value, test[j].Value); {
		case c < 0:
			i++
		case c > 0:
			j++
		default:
			visit(base[i].Count, test[j].Count)
			i++
			j++
		}
	}
}

func distinct(site instrprof.ValueSite) bool {
	for i, v := range site {
		for _, w := range site[:i] {
			if v.Value == w.Value {
				return false
			}
		}
	}
	return true
}

func byValue(site instrprof.ValueSite) instrprof.ValueSite {
	sorted := slices.Clone(site)
	slices.SortStableFunc(sorted, func(a, b instrprof.Value) int { return cmp.Compare(a.Value, b.Value) })
	return sorted
}
