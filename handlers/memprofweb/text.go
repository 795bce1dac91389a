package memprofweb

import (
	"context"
	"slices"
	"strconv"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/names"
	"proflens/profiledb/memprofdb"
	"proflens/profiledb/stored"
	"proflens/say"
)

// textFigures are the numbers of a heap profile for a terminal, exact. What the
// profile has no field for is left out.
func textFigures(t *site.ProfileWriter, o *memprofdb.Overview) {
	uint := func(n uint64) string { return strconv.FormatUint(n, 10) }
	list := []site.TextFigure{{Label: "contexts", Value: uint(o.Contexts),
		Note: "of " + model.Amount(o.Sites, "site", "sites") + " in " +
			model.Amount(o.Owners, "function", "functions")}}
	for _, f := range []struct {
		field memprof.MIBField
		site.TextFigure
	}{
		{memprof.TotalSize, site.TextFigure{Label: "bytes", Value: o.Bytes.String(), Note: "requested"}},
		{memprof.AllocCount, site.TextFigure{Label: "allocations", Value: o.Allocations.String(), Note: "objects"}},
		{memprof.TotalAccessCount, site.TextFigure{Label: "accesses", Value: o.Accesses.String(), Note: ""}},
		{memprof.TotalLifetime, site.TextFigure{Label: "lifetime", Value: o.Lifetime.String(), Note: "ms, of all objects"}},
		{memprof.MaxLifetime, site.TextFigure{Label: "longest lifetime", Value: uint(uint64(o.Longest)), Note: "ms"}},
	} {
		if o.Schema.Has(f.field) {
			list = append(list, f.TextFigure)
		}
	}
	for i, class := range analyze.MemProfClasses {
		if c := &o.Classes[i]; c.Contexts > 0 {
			name := string(class)
			if class == analyze.MemProfUnknown {
				name = "of unknown class"
			}
			list = append(list, site.TextFigure{Label: name, Value: uint(c.Contexts),
				Note: "contexts, " + say.Things(c.Bytes.String(), "byte", "bytes")})
		}
	}
	mixed := site.TextFigure{Label: "mixed sites", Value: strconv.Itoa(o.MixedSites), Note: "none needs cloning"}
	if o.MixedSites > 0 {
		mixed.Note = "of cold contexts and others: they need cloning"
	}
	t.List(append(list, mixed))
}

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
