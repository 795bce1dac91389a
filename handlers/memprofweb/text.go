package memprofweb

import (
	"context"
	"slices"
	"strconv"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/memprofdb"
	"proflens/profile/stored"
)

// text writes the functions to blame for most bytes, as the page of sites has them.
func (s *handler) text(ctx context.Context, t *site.ProfileWriter, p *stored.Profile) error {
	heap, err := memprofdb.Of(p)
	if err != nil {
		return err
	}
	page, err := heap.Blame(ctx, memprofdb.BlameQuery{Library: s.own(), Limit: site.TextHottest})
	if err != nil || len(page.Rows) == 0 {
		return err
	}
	width, whole := len(page.Rows[0].Bytes.String()), page.Totals.Bytes.Float64()
	label := func(f *memprofdb.Function) string {
		return site.TextWord(f.Label(func(linkage string) string { return names.Demangle(linkage, names.NoTemplates) }))
	}
	t.Line("\nblame frames, by bytes")
	for i := range page.Rows {
		r := &page.Rows[i]
		name := "<only library frames>"
		if r.Function != nil {
			name = label(r.Function)
		}
		if r.User != nil {
			name += "  <- " + label(r.User)
		}
		if r.Line > 0 {
			name += "  " + humanize.Printable(shortFile(r.File)) + ":" + strconv.FormatUint(uint64(r.Line), 10)
		}
		if r.Type != "" {
			name += "  " + site.TextWord(r.Type)
		}
		t.Line("  %*s  %6.2f%%  %s", width, r.Bytes.String(), 100*humanize.Part(r.Bytes.Float64(), whole), name)
	}
	return nil
}

// commands are what can be asked of a heap profile.
func commands(ctx context.Context, heap *memprofdb.Profile) ([]site.Command, error) {
	modules, err := heap.Modules(ctx)
	if err != nil {
		return nil, err
	}
	list := []site.Command{
		{Does: "whose code allocates", Path: "/sites?format=text&by=blame"},
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
