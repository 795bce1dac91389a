package memprofweb

import (
	"net/http"
	"slices"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/handlers/flameweb"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/memprofdb"
	"proflens/views/flameview"
	"proflens/views/memprofview"
	"proflens/views/page"
)

// flameRequest is a request for the page of the flame graph.
type flameRequest struct {
	flameweb.View
	query memprofdb.FlameQuery
	base  string // "/p/{id}"
	kept  string // list of library frames that the browser keeps
}

// flamePage is GET /p/{id}/flame.
func (s *handler) flamePage(w http.ResponseWriter, r *http.Request) error {
	if asked, err := flameweb.InForm(w, r, site.APIOf(s.Entry(r).ID)+"/flamegraph"); asked {
		return err
	}
	p, err := parseFlamePage(r.URL.Query(), s.own(), false)
	if err != nil {
		return err
	}
	ctx, err := s.BeginView(w, r, "")
	if ctx == nil {
		return err
	}
	o := s.heap(r).Overview
	if o == nil {
		return site.ErrNotInFamily
	}
	id := s.Entry(r).ID
	v := flameRequest{
		View:  flameweb.View{Look: p.Look, Address: site.AddressOf(r.URL), API: "/api/v1/profiles/" + id + "/flamegraph"},
		query: p.Query, base: "/p/" + id, kept: site.KeptLibrary(r, s.Entry(r)),
	}
	q := p.Query
	q.Limit = flameweb.TableRows
	g, err := s.heap(r).FlameGraph(ctx, q)
	if err != nil {
		return site.OrAbsent(err, flameweb.ErrNoFrame)
	}
	n, err := s.heapNames(ctx, s.heap(r), s.Symbols(names.Full))
	if err != nil {
		return err
	}
	shell := s.ProfileShell(r, site.FlameView, "")
	shell.Keys = flameweb.KeyLines
	m := flameModel(v, o, g, n)
	m.Exports, m.Colour, m.Plain = v.exports(), p.Colour, plainColour(o)
	if m.Colour == "" {
		m.Colour = m.Plain
	}
	m.Colours = v.colours(o, m.Colour, m.Plain)
	m.Switches = foldSwitches(v.Address.Without("z", "sel"), q.Fold, false)
	if s.Answers(r, "/functions") {
		m.Leads = append(m.Leads, flameview.Lead{
			Label: "View counters", Address: v.base + "/functions?q=", By: flameview.ByLinkage,
		})
	}
	located, err := s.Lines(ctx, s.Profile(r))
	if err != nil {
		return err
	}
	if located != nil {
		m.Leads = append(m.Leads, flameview.Lead{
			Label: "Open", Address: flameweb.Lead(site.Address{Path: v.base + "/files"}, "file"), By: flameview.ByFile,
		})
	}
	return s.Render(w, r, memprofview.FlamePage(shell, m, v.folding()))
}

// folding is the form of what is a library's.
func (v *flameRequest) folding() memprofview.LibraryForm {
	return libraryForm(v.base, v.Address.Without("z", "sel"), v.query.Library, v.kept)
}

// flameFacts are the figures of the selected frame, by columns of the API.
var flameFacts = []flameview.Fact{
	{Label: "Bytes", Column: "bytes", As: "bytes"},
	{Label: "Allocations", Column: "allocations", As: "count"},
	{Label: "Mean size", Column: "bytes", Per: "allocations", As: "bytes"},
	{Label: "Mean lifetime", Column: "objects_lifetime", Per: "allocations", Scale: 0.001, As: "seconds"},
	{Label: "Accesses", Column: "accesses", As: "count"},
	{Label: "Accesses per byte", Column: "accesses", Per: "bytes", As: "rate"},
	{Label: "Accesses per byte and second", Column: "density", Per: "allocations", Scale: 0.01, As: "rate"},
}

// flameColumns are those of the tree as a table.
var flameColumns = []flameview.Column{
	{Label: "Allocations"}, {Label: "Mean lifetime", Title: "of the bytes"}, {Label: "Accesses per byte and second"},
}

// flameWords are what heaps say of their call trees.
func flameWords(w memprofdb.Weight, o *memprofdb.Overview, n frameNames) *flameweb.Words[memprofdb.Function,
	analyze.MemProfTotals] {
	return &flameweb.Words[memprofdb.Function, analyze.MemProfTotals]{
		Weight: w.Of, Number: func(v analyze.Sum) humanize.Number { return weightOf(w, v) },
		Name: n.Function, All: allContexts, Leaf: "what allocates", Columns: flameColumns,
		Cells: func(t *analyze.MemProfTotals) []humanize.Number {
			cells := []humanize.Number{humanize.SumCount(t.Allocations), {}, {}}
			lifetime, density, known := sumMeans(t, o.Schema)
			if known[0] {
				cells[1].Text = humanize.Milliseconds(lifetime).Text
			}
			if known[1] {
				cells[2].Text = humanize.Rate(density).Text
			}
			return cells
		},
	}
}

// flameModel is what the pages of one heap and of two have in common.
func flameModel(v flameRequest, o *memprofdb.Overview, g *memprofdb.FlameGraph, n frameNames) flameview.Flame {
	q := &v.query
	m := flameweb.Page(&v.View, &g.Graph, flameWords(q.Weight, o, n), v.empty(g))
	m.Widths, m.How, m.Weight, m.Facts, m.Library = v.widths(o.Schema), page.HowFlameWeights, string(q.Weight),
		flameFacts, true
	m.Leads = []flameview.Lead{
		{
			Label: "View sites", Address: flameweb.Lead(site.Address{Path: v.base + "/sites"}, "function"),
			By: flameview.ByFunction,
		},
	}
	m.Filter = v.FilterForm(q.Focus, q.Ignore)
	m.Chips, m.Clear = filterChips(v.Address.Without("z", "sel", "q"), &q.Filter, v.kept)
	if m.Empty == nil {
		m.Says = humanize.Say("{} {} in {context}, {frame}.", weightOf(q.Weight, q.Weight.Of(&g.Matching)).Text,
			weightWord(q.Weight), g.Matching.Contexts, g.Frames)
	}
	return m
}

func (v *flameRequest) widths(schema memprof.MIBSchema) []page.Segment {
	unknown := func(w site.Way) bool { return !memprofdb.Weight(w.Value).Known(schema) }
	return v.Widths(string(memprofdb.WeightBytes), string(v.query.Weight), slices.DeleteFunc([]site.Way{
		{string(memprofdb.WeightBytes), "Bytes", "widths are bytes requested"},
		{string(memprofdb.WeightAllocations), "Allocations", "widths are numbers of objects"},
		{string(memprofdb.WeightAccesses), "Accesses", "widths are numbers of accesses"},
		{string(memprofdb.WeightLifetime), "Byte·seconds", "widths are bytes times the seconds they lived"},
	}, unknown))
}

// plainColour is what colours say unless asked: modules where there are any.
func plainColour(o *memprofdb.Overview) string {
	if o.Modules == 0 && hasDensity(o) {
		return "density"
	}
	return "module"
}

func (v *flameRequest) colours(o *memprofdb.Overview, current, plain string) []flameview.Colour {
	var list []flameview.Colour
	for _, c := range []flameview.Colour{
		{
			Segment: page.Segment{Label: "Access density", Title: "mean accesses per byte and second of an object's life"},
			Key:     "density", Low: "0.01", High: "100 k accesses per byte and second",
		},
		{
			Segment: page.Segment{Label: "Lifetime", Title: "mean lifetime of an object"}, Key: "lifetime", Low: "1 ms",
			High: "1 000 s mean lifetime",
		},
		{
			Segment: page.Segment{Label: "Module",
				Title: "by the module of the frame, or its source file where modules are not known"}, Key: "module",
		},
	} {
		if c.Key == "density" && !hasDensity(o) || c.Key == "lifetime" && !hasLifetime(o) {
			continue
		}
		list = append(list, v.Coloured(c, current, plain))
	}
	return list
}

func (v *flameRequest) exports() []page.Download {
	export := func(name string) string {
		kept := site.NewAddress("/api/v1/profiles" + v.base[len("/p"):] + "/export/" + name)
		if v.query.Fold.Library != nil {
			kept = kept.With("library", v.Address.Query.Get("library"))
		}
		return folded(kept, v.query.Fold).String()
	}
	return []page.Download{
		{Label: "Folded stacks", URL: export("folded"), Command: "for flamegraph.pl and inferno"},
		{Label: "speedscope", URL: export("speedscope"), Command: "opens in speedscope.app"},
		{Label: "pprof", URL: export("pprof"), Command: "opens in go tool pprof"},
	}
}

// empty says why there is nothing to show; nil where there is.
func (v *flameRequest) empty(g *memprofdb.FlameGraph) *page.Blank {
	switch {
	case !g.Known:
		return &page.Blank{
			Title: "No " + weightWord(v.query.Weight) + " in this file",
			Text:  "The contexts of this profile lack the fields for this width.",
		}
	case g.All.Contexts == 0:
		return &page.Blank{
			Title: "No allocation contexts",
			Text:  "The profile has none: nothing was allocated, or the program ended before writing them.",
		}
	case g.Matching.Contexts > 0:
		return nil
	}
	chips, _ := filterChips(v.Address.Without("z", "sel", "q"), &v.query.Filter, v.kept)
	return &page.Blank{Title: humanize.Say("0 of {context} match", g.All.Contexts), Chips: chips}
}

// weightWord is what a weight counts.
func weightWord(w memprofdb.Weight) string {
	switch w {
	case memprofdb.WeightAllocations:
		return "allocations"
	case memprofdb.WeightAccesses:
		return "accesses"
	case memprofdb.WeightLifetime:
		return "byte-seconds"
	}
	return "requested"
}
