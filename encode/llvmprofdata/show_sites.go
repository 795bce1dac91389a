package llvmprofdata

import (
	"fmt"

	"proflens/decode/instrprof"
)

// siteStatistics counts the value sites of one kind.
type siteStatistics struct {
	sites, withValues, values uint64
	byValues                  []uint64 // sites with i+1 values
}

func (s *shown) sites(f *instrprof.Function, kind instrprof.ValueKind) {
	t := &s.statistics[kind]
	t.sites += uint64(len(f.Sites[kind]))
	for i, site := range f.Sites[kind] {
		if len(site) == 0 {
			continue
		}
		t.withValues++
		t.values += uint64(len(site))
		for len(t.byValues) < len(site) {
			t.byValues = append(t.byValues, 0)
		}
		t.byValues[len(site)-1]++
		var sum uint64
		for _, v := range site {
			sum += v.Count
		}
		for _, v := range site {
			value := fmt.Sprintf("%4d", v.Value)
			if kind != instrprof.MemOPSize {
				value = string(s.names.Of(v.Value))
			}
			fmt.Fprintf(s.b, "\t[ %2d, %s, %10d ] (%.2f%%)\n", i, value, int64(v.Count),
				float64(v.Count)*100/float64(max(sum, 1)))
		}
	}
}

func (s *shown) statisticsOf(kind instrprof.ValueKind, title string) {
	t := &s.statistics[kind]
	fmt.Fprintf(s.b, "Statistics for %s profile:\n  Total number of sites: %d\n  Total number of sites with values: %d\n"+
		"  Total number of profiled values: %d\n  Value sites histogram:\n\tNumTargets, SiteCount\n",
		title, t.sites, t.withValues, t.values)
	for i, n := range t.byValues {
		if n > 0 {
			fmt.Fprintf(s.b, "\t%d, %d\n", i+1, n)
		}
	}
}
