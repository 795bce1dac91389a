package memprofweb

import (
	"context"
	"slices"

	"proflens/handlers/site"
	"proflens/names"
	"proflens/profile/memprofdb"
	"proflens/profile/stored"
)

// siteLines are the functions that allocate most.
func siteLines(t *site.ProfileWriter, page *memprofdb.SitePage) {
	if len(page.Rows) == 0 {
		return
	}
	width, whole := len(page.Rows[0].Bytes.String()), page.Totals.Bytes.Float64()
	short := func(linkage string) string { return names.Demangle(linkage, names.Short) }
	t.Line("\nfunctions that allocate, by bytes")
	for i := range page.Rows {
		r := &page.Rows[i]
		name := "<no call stack>"
		if r.Function != nil {
			name = site.TextWord(r.Function.Label(short))
		}
		t.Line("  %*s  %6.2f%%  %s", width, r.Bytes.String(), 100*site.Part(r.Bytes.Float64(), whole), name)
	}
}

// commands are what can be asked of a heap profile.
func commands(ctx context.Context, p *stored.Profile) ([]site.Command, error) {
	heap, err := memprofdb.Of(p)
	if err != nil {
		return nil, err
	}
	modules, err := heap.Modules(ctx)
	if err != nil {
		return nil, err
	}
	list := []site.Command{
		{Does: "allocation contexts", Path: "/allocations?format=text"},
		{Does: "those with a function", Path: "/allocations?format=text&q=NAME"},
		{Does: "cold ones", Path: "/allocations?format=text&class=cold"},
		{Does: "calls that allocate", Path: "/sites?format=text&by=line"},
		{Does: "by source file", Path: "/sites?format=text&by=file"},
		{Does: "folded, for flame graphs", Path: "/flamegraph?format=folded"},
		{Does: "for go tool pprof", Path: "/export/pprof", Options: site.Saved},
	}
	if slices.ContainsFunc(modules, func(m memprofdb.Module) bool { return m.Wanted() }) {
		list = append(list, site.Command{Does: "missing executables", Path: "/modules?format=text"})
		list = append(list, site.Command{
			Does: "to add one", Path: "/files", Options: "-H 'X-Delete-Token: TOKEN' -F file=@PROGRAM",
		})
	}
	return list, nil
}
