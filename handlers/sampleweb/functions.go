package sampleweb

import (
	"context"
	"net/http"
	"strings"

	"proflens/decode/sampleprof"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/sampledb"
	"proflens/profile/stored"
	"proflens/profile/table"
	"proflens/views/page"
	"proflens/views/sampleview"
)

// functionKeys are the parameters of functions besides those of all tables.
var functionKeys = strings.Fields("heat fit among unlisted unnamed")

// fitWords are the values of fit=.
var fitWords = map[string]sampleprof.Fit{
	"unknown": sampleprof.FitUnknown, "same": sampleprof.FitSame, "stale": sampleprof.FitStale, "gone": sampleprof.FitGone,
}

// functionQuery reads what functions are asked for.
func functionQuery(v *site.Values) sampledb.Query {
	q := sampledb.Query{
		Among: site.Choice(v, "among", sampledb.Entered, sampledb.Sampled),
		Heat:  site.Choice(v, "heat", "", sampledb.Hot, sampledb.Warm, sampledb.Cold), Unlisted: v.Yes("unlisted"),
		Unnamed: v.Yes("unnamed"),
	}
	for _, word := range v.List("fit") {
		fit, ok := fitWords[word]
		if !ok {
			v.Fail("fit", "unknown value %q; use same, stale, gone, unknown or several of them", word)
		}
		q.Fits = append(q.Fits, fit)
	}
	return q
}

// functions is a page of functions, all or those that are lost, and the table.
func (s *handler) functions(view site.View) *lists.Declared {
	d := &lists.Declared{
		Declaration: sampledb.Functions, ID: "functions", API: "/functions", View: view, Title: string(view),
		Own:  functionKeys,
		None: page.Blank{Title: "No functions", Text: "The profile lists none."}, Opens: "Open function",
		Adorn: s.aroundFunctions, Inspect: inspectFunction,
	}
	if view == site.StaleView {
		d.Fixed = []string{"among", string(sampledb.Sampled), "fit", "stale,gone"}
	}
	d.Vary = func(v *site.Values) lists.Varied {
		q := functionQuery(v)
		if view == site.StaleView {
			q.Among = sampledb.Sampled
			if len(q.Fits) == 0 {
				q.Fits = []sampleprof.Fit{sampleprof.FitStale, sampleprof.FitGone}
			}
		}
		return func(ctx context.Context, profile *stored.Profile) (*table.Declaration, table.Find, error) {
			p, err := sampledb.Of(profile)
			if err != nil {
				return nil, nil, err
			}
			find, err := p.FindFunctions(ctx, q)
			return p.Overview.Shown(q.Among == sampledb.Sampled), find, err
		}
	}
	return d
}

// aroundFunctions says what the functions come to, and draws what of them is lost.
func (s *handler) aroundFunctions(r *http.Request, v *lists.Request, g *page.Grid) error {
	o, a := s.samples(r).Overview, v.Address
	own := v.View == site.StaleView || a.Query.Get("among") != ""
	sum, whole := v.Found.Around.(*sampledb.FunctionSums).Total, v.Found.Whole["total"]
	if own {
		whole = v.Found.Whole["own"]
	}
	g.Above, g.Says = sampleview.Patterns(), functionsSay(v, o, sum, own)
	g.Chips, g.Clear = append(g.Chips, functionChips(a)...), site.Address{Path: a.Path}.String()
	if g.Facets = heatSegments(a, o); v.View == site.StaleView {
		g.Facets = fitSegments(a, o)
		if o.Program.CanTell() && !someLost(o) && len(g.Chips) == 0 && a.Query.Get("fit") == "" {
			lead, rest := lostSays(o, wholeOf(&o.Program.Fits))
			g.Empty = &page.Blank{Title: strings.TrimSuffix(lead, "."), Text: rest}
		}
	}
	if v.Found.All > v.Found.Matching {
		g.Status = append(g.Status, "matching hold "+humanize.PartPercent(float64(sum), whole, 1)+" of the samples")
	}
	v.To = functionsOf(v.Base)
	v.Draw = lists.Draws{
		"name": func(row any) page.GridCell {
			n := row.(*sampledb.Name)
			c := page.GridCell{Name: new(nameOf(n, v.Symbols)), URL: pageOf(v.Base, n)}
			if n.Entries > 0 && o.HeatOf(n.Max) == sampledb.Cold {
				c.Tags = []page.Tag{*heatTag(sampledb.Cold)}
			}
			return c
		},
		"fit": func(row any) page.GridCell {
			if tag := fitTag(row.(*sampledb.Name).Fit); tag != nil {
				return page.GridCell{Tags: []page.Tag{*tag}}
			}
			return page.GridCell{}
		},
		"lost": func(row any) page.GridCell {
			return page.GridCell{Drawn: sampleview.LostCell(lostOf(o, row.(*sampledb.Name)))}
		},
	}
	return nil
}

// lostOf is how much of a function's counts is lost; nil where it cannot be told.
func lostOf(o *sampledb.Overview, n *sampledb.Name) *sampleview.LostPart {
	if !o.Program.CanTell() || n.Sum == 0 {
		return nil
	}
	stale, gone, unknown := n.Lost[sampleprof.FitStale], n.Lost[sampleprof.FitGone], n.Lost[sampleprof.FitUnknown]
	share := humanize.Part(n.Lost.Lost(), n.Sum)
	return &sampleview.LostPart{
		Bar: stretchesOf(n.Sum-min(n.Sum, stale+gone+unknown), unknown, stale, gone), Share: humanize.Percent(share, 1),
		Much: share >= 0.1,
	}
}

// someLost reports whether any function is stale, or gone.
func someLost(o *sampledb.Overview) bool {
	return o.Program.Fits[sampleprof.FitStale].Functions+o.Program.Fits[sampleprof.FitGone].Functions > 0
}

// heatSegments are the choices of hot and cold functions.
func heatSegments(a site.Address, o *sampledb.Overview) []page.Segment {
	return a.FirstPage(lists.Selected).Ways("heat", "", a.Query.Get("heat"), []site.Way{
		{"", "All", ""},
		{string(sampledb.Hot), "Hot", "a count of " + humanize.Int(o.HotCount) + " or more"},
		{string(sampledb.Warm), "Warm", "neither hot nor cold"},
		{string(sampledb.Cold), "Cold", "no count above " + humanize.Int(o.ColdCount)},
	})
}

// fitSegments are the choices of how functions stand in the program.
func fitSegments(a site.Address, o *sampledb.Overview) []page.Segment {
	current, ways := a.Query.Get("fit"), []site.Way{{"", "Stale and gone", ""}}
	for _, f := range []struct {
		word, label string
		fit         sampleprof.Fit
	}{
		{"stale", "Stale", sampleprof.FitStale}, {"gone", "Gone", sampleprof.FitGone}, {"same", "Same", sampleprof.FitSame},
		{"unknown", "Cannot be told", sampleprof.FitUnknown},
	} {
		if n := o.Program.Fits[f.fit].Functions; n > 0 || current == f.word {
			ways = append(ways, site.Way{f.word, f.label + " " + humanize.Int(n), ""})
		}
	}
	return a.FirstPage(lists.Selected).Ways("fit", "", current, ways)
}

// functionChips are the filters besides those of the list.
func functionChips(a site.Address) []page.Chip {
	return a.Without(lists.Selected).Chips(functionKeys, func(key, value string) string {
		switch key {
		case "unlisted":
			return "not in the list of symbols"
		case "unnamed":
			return "name not known"
		case "among":
			return "inlined ones too"
		case "heat", "fit":
			return "" // the switch says so
		}
		return key + ": " + value
	})
}

func functionsSay(v *lists.Request, o *sampledb.Overview, sum uint64, own bool) string {
	count := humanize.Plural(v.Found.Matching, "function") + " with "
	samples := humanize.Things(humanize.Count(sum).Text, "sample", "samples")
	switch {
	case v.View == site.StaleView && v.Found.Matching == v.Found.All:
		return count + "samples of their own."
	case v.View == site.StaleView:
		return count + samples + " of their own, " +
			humanize.PartPercent(float64(sum), o.Samples.Float64(), 1) +
			" of all; inlined code counts for the function that it is of."
	case own:
		return count + samples + " of their own; inlined code counts for the function that it is of."
	}
	return count + samples + " in total; inlined code counts for the function that it is in."
}

// inspectFunction has every figure of a function.
func inspectFunction(r *http.Request, v *lists.Request, in *page.Inspector, row any) error {
	n, o := row.(*sampledb.Name), site.PartOf[*sampledb.Profile](r).Overview
	if in.Facts = functionFacts(o, n); n.Rank > 0 {
		in.Rank = "rank " + humanize.Int(n.Rank)
	}
	return nil
}

// functionFacts are the figures of a function, exact.
func functionFacts(o *sampledb.Overview, n *sampledb.Name) page.Facts {
	facts := page.Facts{
		{Term: "Total", Value: humanize.Int(n.Total), Note: "with what is inlined into it"},
		{Term: "Head", Value: humanize.Int(n.Head), Note: "times it was entered by a branch"},
		{Term: "Entries", Value: humanize.Int(n.Entry), Note: "estimated as the compiler does"},
		{Term: "Own samples", Value: humanize.Int(n.Body)},
		{Term: "Where inlined", Value: humanize.Int(n.Inlined), Note: humanize.Plural(n.InlinedAt, "place")},
		{Term: "Largest count", Value: humanize.Int(n.Max)},
		{
			Term: "Calls to it", Value: humanize.Int(n.Calls),
			Note: "that were not inlined, from " + humanize.Plural(n.Callers, "place"),
		},
		{Term: "Inlined into it", Value: humanize.Plural(n.Inlinees, "callee")},
		{Term: "GUID", Value: humanize.Hex64(n.GUID)},
	}
	if o.Has(sampleprof.FullContexts) {
		facts.Add("Contexts", humanize.Int(n.Entries))
	}
	if n.Checksum != 0 {
		facts.Add("Checksum", humanize.Hex64(n.Checksum), "of its control flow graph")
	}
	if o.Symbols >= 0 {
		facts.Add("In the symbol list", map[bool]string{true: "yes", false: "no"}[n.Listed])
	}
	if n.Given {
		facts.Add("Name", "given back for its MD5")
	}
	var words []string
	for _, a := range []struct {
		bit  uint32
		word string
	}{
		{sampleprof.WasInlined, "was inlined"}, {sampleprof.ShouldBeInlined, "should be inlined"},
		{sampleprof.MergedIntoBase, "merged into the base profile"},
	} {
		if n.Attributes&a.bit != 0 {
			words = append(words, a.word)
		}
	}
	for _, word := range words {
		facts.Add("Attribute", word)
	}
	return facts
}
