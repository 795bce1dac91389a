package instrweb

import (
	"cmp"
	"math/bits"
	"slices"

	"proflens/decode/instrprof"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/instrdb"
	"proflens/views/chart"
	"proflens/views/instrview"
)

// How many value sites and targets the page of a function shows; the rest is
// in the API.
const (
	shownSites   = 100
	shownTargets = 32
	openTargets  = 4 // before the rest is folded
)

// siteKinds are the value kinds in the order of the page.
var siteKinds = []struct {
	kind        instrprof.ValueKind
	id          string
	title, note string
}{
	{
		instrprof.IndirectCallTarget, "indirect-calls", "Indirect calls", "targets of calls through a pointer, per call site",
	},
	{
		instrprof.MemOPSize, "memory-ops", "Memory operation sizes",
		"bytes per memcpy, memset and so on; the runtime groups larger sizes into ranges",
	},
	{instrprof.VTableTarget, "vtables", "VTables", "vtables of the objects of virtual calls"},
}

// siteTotal adds a site's counts up; it stops at the largest 64-bit number.
func siteTotal(values instrprof.ValueSite) uint64 {
	var sum uint64
	for _, v := range values {
		var carry uint64
		if sum, carry = bits.Add64(sum, v.Count, 0); carry > 0 {
			return 1<<64 - 1
		}
	}
	return sum
}

// hottestSite is the site with the largest sum and its index; nil when no site
// has a value.
func hottestSite(sites []instrprof.ValueSite) (int, instrprof.ValueSite) {
	best, most := -1, uint64(0)
	for i, values := range sites {
		if sum := siteTotal(values); len(values) > 0 && (best < 0 || sum > most) {
			best, most = i, sum
		}
	}
	if best < 0 {
		return 0, nil
	}
	return best, byCount(sites[best])
}

// byCount orders a site's values by descending count, keeping the file's order
// among equals.
func byCount(values instrprof.ValueSite) instrprof.ValueSite {
	sorted := slices.Clone(values)
	slices.SortStableFunc(sorted, func(a, b instrprof.Value) int {
		switch {
		case a.Count > b.Count:
			return -1
		case a.Count < b.Count:
			return 1
		}
		return 0
	})
	return sorted
}

// sitesByTotal are the indices of the sites that recorded something, most first.
func sitesByTotal(sites []instrprof.ValueSite) []int {
	var order []int
	for i, values := range sites {
		if len(values) > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(siteTotal(sites[b]), siteTotal(sites[a])) })
	return order
}

// targets are the first n values of a site that is ordered by count, and one
// line for the rest.
func targets(base string, kind instrprof.ValueKind, values instrprof.ValueSite, n int,
	known map[uint64]instrdb.NameInfo, s site.Symbols) []instrview.Target {
	sum := siteTotal(values)
	var list []instrview.Target
	for _, v := range values[:min(len(values), n)] {
		t := instrview.Target{Count: humanize.Count(v.Count)}
		if sum > 0 {
			share := float64(v.Count) / float64(sum)
			t.Share, t.Bar = humanize.Percent(share, 1), chart.ShareBar(share, 1)
		}
		switch {
		case kind == instrprof.MemOPSize:
			t.Label, t.Title = humanize.MemOPSize(v.Value), humanize.Int(v.Value)
		case v.Value == 0:
			t.Label, t.Title = "unknown", "the address matches no function in the profile"
		default:
			info := known[v.Value]
			name := s.Name(info.Name, v.Value)
			t.Name = &name
			if info.HasRecord {
				t.URL = base + "/functions/" + site.FID(v.Value)
			}
		}
		list = append(list, t)
	}
	humanize.Apart(list, func(t *instrview.Target) *humanize.Name { return t.Name })
	if rest := values[min(len(values), n):]; len(rest) > 0 && sum > 0 {
		left := siteTotal(rest)
		share := float64(left) / float64(sum)
		list = append(list, instrview.Target{
			Label: "other (" + humanize.Int(len(rest)) + ")", Title: "values that are not listed here",
			Count: humanize.Count(left), Share: humanize.Percent(share, 1), Bar: chart.ShareBar(share, 1),
		})
	}
	return list
}

// sites are the value sites of a record, kind by kind, and the NameRefs they
// show are those of siteRefs.
func sites(base string, r *instrdb.Record, known map[uint64]instrdb.NameInfo, s site.Symbols) []instrview.SiteKind {
	var list []instrview.SiteKind
	for _, k := range siteKinds {
		all := r.Sites[k.kind]
		if len(all) == 0 {
			continue
		}
		kind := instrview.SiteKind{ID: k.id, Title: k.title, Note: k.note, Count: humanize.Plural(len(all), "site")}
		order := sitesByTotal(all)
		for _, i := range order[:min(len(order), shownSites)] {
			values := targets(base, k.kind, byCount(all[i]), shownTargets, known, s)
			one := instrview.Site{Index: humanize.Int(i), Total: humanize.Count(siteTotal(all[i])), Targets: values}
			if len(values) > openTargets+1 {
				one.Targets, one.Rest = values[:openTargets], values[openTargets:]
				one.Folded = humanize.Int(len(one.Rest)) + " more"
			}
			kind.Sites = append(kind.Sites, one)
		}
		if empty := len(all) - len(order); empty > 0 {
			kind.Empty = humanize.Plural(empty, "site") + " recorded nothing."
			kind.Count = humanize.Int(len(order)) + " of " + kind.Count + " recorded something, most first"
		} else if len(order) > 1 {
			kind.Count += ", most first"
		}
		if left := len(order) - shownSites; left > 0 {
			kind.More = humanize.Say("{more site is|more sites are} in the JSON of this function.", left)
		}
		list = append(list, kind)
	}
	return list
}

// siteRefs are the NameRefs that the page of a record has to resolve.
func siteRefs(r *instrdb.Record) []uint64 {
	var refs []uint64
	for _, kind := range []instrprof.ValueKind{instrprof.IndirectCallTarget, instrprof.VTableTarget} {
		all := r.Sites[kind]
		order := sitesByTotal(all)
		for _, i := range order[:min(len(order), shownSites)] {
			for _, v := range byCount(all[i])[:min(len(all[i]), shownTargets)] {
				if v.Value != 0 {
					refs = append(refs, v.Value)
				}
			}
		}
	}
	slices.Sort(refs)
	return slices.Compact(refs)
}
