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
		"whose code allocates: /sites?format=text&by=blame",
		"allocation contexts: /allocations?format=text",
		"those with a function: /allocations?format=text&q=NAME",
		"cold ones: /allocations?format=text&class=cold",
		"calls that allocate: /sites?format=text&by=line",
		"by source file: /sites?format=text&by=file",
		"folded, for flame graphs: /flamegraph?format=folded",
		"for go tool pprof: -OJ /export/pprof",
	}
	if slices.ContainsFunc(modules, func(m memprofdb.Module) bool { return m.Wanted() }) {
		list = append(list, "missing executables: /modules?format=text")
		list = append(list, "to add one: -H 'X-Delete-Token: TOKEN' -F file=@PROGRAM /files")
	}
	return list, nil
}
