package sampleweb

import (
	"net/http"
	"slices"

	"proflens/decode/sampleprof"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/profiledb/sampledb"
	"proflens/say"
	"proflens/views/chart"
	"proflens/views/page"
	"proflens/views/sampleview"
)

// functionTable makes rows of functions.
type functionTable struct {
	o       *sampledb.Overview
	base    string
	symbols site.Symbols
	whole   uint64 // what shares are of
	own     bool   // bars and shares are of own samples
	address *site.Address
}

// overviewHeads are the columns of the overview's table, which cannot be sorted.
func overviewHeads(o *sampledb.Overview) []page.Head {
	var heads []page.Head
	for _, c := range functionList.Heads {
		if c.Key == "body" || c.Key == "max" || (c.Key == "lost" || c.Key == "fit") && !someLost(o) {
			continue
		}
		heads = append(heads, page.Head{Column: string(c.Key), Label: c.Label, Title: c.Title, Number: c.Number})
		if c.Key == "share" {
			heads = append(heads, page.Head{
				Column: "sum", Label: "Sum", Title: "share of this row and those above", Number: true,
			})
		}
	}
	return heads
}

// someLost reports whether any function is stale, or gone.
func someLost(o *sampledb.Overview) bool {
	return o.Program.Fits[sampleprof.FitStale].Functions+o.Program.Fits[sampleprof.FitGone].Functions > 0
}

// table makes the table of rows; the first has rank offset + 1.
func (t *functionTable) table(caption string, heads []page.Head, rows []*sampledb.Name, offset int) sampleview.Table {
	m := sampleview.Table{Caption: caption, Heads: heads}
	largest, sum := uint64(0), uint64(0)
	for _, n := range rows {
		largest = max(largest, t.value(n))
	}
	for i, n := range rows {
		value := t.value(n)
		sum = sampleprof.Add(sum, value)
		row := sampleview.FunctionRow{
			Rank: say.Int(offset + i + 1), Name: nameOf(n, t.symbols), URL: pageOf(t.base, n),
			Total: say.Count(n.Total), Head: say.Count(n.Head), Body: say.Count(n.Body), Max: say.Count(n.Max),
			Own: say.Count(n.Own()), Inlined: say.Count(n.Inlined),
			Share: say.Percent(part(value, t.whole), 1), Sum: say.Percent(part(sum, t.whole), 1),
			Bar:      chart.ShareBar(part(value, t.whole), part(largest, t.whole)),
			Inlinees: say.Int(n.Inlinees), Fit: fitTag(n.Fit),
		}
		if t.address != nil && n.Entries > 0 && t.o.HeatOf(n.Max) == sampledb.Cold {
			row.Heat = heatTag(sampledb.Cold)
		}
		if t.o.Program.CanTell() && n.Sum > 0 {
			stale, gone, unknown := n.Lost[sampleprof.FitStale], n.Lost[sampleprof.FitGone], n.Lost[sampleprof.FitUnknown]
			bar := stretchesOf(n.Sum-min(n.Sum, stale+gone+unknown), unknown, stale, gone)
			share := part(n.Lost.Lost(), n.Sum)
			row.Lost, row.LostShare, row.LostMuch = &bar, say.Percent(share, 1), share >= 0.1
		}
		if t.address != nil {
			row.Selected = t.address.Selected(site.FID(n.GUID))
		}
		m.Rows = append(m.Rows, row)
	}
	return m
}

func (t *functionTable) value(n *sampledb.Name) uint64 {
	if t.own {
		return n.Own()
	}
	return n.Total
}

// functionsPage is GET /p/{id}/functions, and /p/{id}/stale: those that are lost.
func (s *room) functionsPage(view site.View) site.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		p, err := parseFunctions(r.URL.Query(), lists.Selected)
		if err != nil {
			return err
		}
		a, base := site.AddressOf(r.URL), site.PageOf(s.Entry(r).ID)
		if view == site.StaleView {
			p.Query.Among = sampledb.Sampled
			if len(p.Query.Fits) == 0 {
				p.Query.Fits = []sampleprof.Fit{sampleprof.FitStale, sampleprof.FitGone}
			}
		}
		api := apiFunctions(a, s.Entry(r).ID, view)
		if p.Format != "" {
			http.Redirect(w, r, api.String(), http.StatusSeeOther)
			return nil
		}
		ctx, end, err := s.BeginView(w, r, p.Format)
		if ctx == nil {
			return err
		}
		defer end()
		o := s.samples(r).Overview
		found, err := s.samples(r).Find(ctx, p.Query)
		if err != nil {
			return err
		}
		t := functionTable{
			o: o, base: base, symbols: site.Symbols{Cache: s.Names, Mode: p.Names}, whole: o.Summary.Total,
			own: p.Query.Among == sampledb.Sampled, address: &a,
		}
		if !t.own {
			if t.whole, err = s.samples(r).Totals(ctx); err != nil {
				return err
			}
		}
		m := sampleview.Functions{
			List: functionList.Frame(a, &p.Params,
				lists.Found{Shown: len(found.Rows), Matching: found.Matching, All: found.All}), Title: string(view),
		}
		m.CSV = api.Without("page", "cursor", "limit").With("format", "csv").String()
		m.Chips = append(m.Chips, functionChips(a)...)
		m.Clear = site.Address{Path: a.Path}.String()
		m.Heads = shownHeads(m.Heads, o, t.own)
		m.Table = t.table(m.Title+", "+m.Shown, m.Heads, found.Rows, p.Offset)
		if view == site.StaleView {
			m.Fits = fitSegments(a, o)
		} else {
			m.Heats = heatSegments(a, o)
		}
		m.Says = functionsSay(view, o, found, t.own)
		if found.All > found.Matching {
			m.Status = "matching hold " + say.Percent(part(found.Total, t.whole), 1) + " of the samples"
		}
		for i, n := range found.Rows {
			if m.Table.Rows[i].Selected.Selected {
				s.inspect(m.Inspector, o, n, &m.Table.Rows[i])
			}
		}
		return s.Render(w, r, http.StatusOK, sampleview.FunctionsPage(s.ProfileShell(r, view, ""), m))
	}
}

// apiFunctions is the same list of the API.
func apiFunctions(a site.Address, id string, view site.View) site.Address {
	api := a.Without(lists.Selected)
	api.Path = site.APIOf(id) + "/functions"
	if view == site.StaleView {
		api = api.With("among", string(sampledb.Sampled))
		if api.Query.Get("fit") == "" {
			api = api.With("fit", "stale,gone")
		}
	}
	return api
}

// shownHeads leaves out columns that say nothing of the profile.
func shownHeads(heads []page.Head, o *sampledb.Overview, own bool) []page.Head {
	var list []page.Head
	for _, h := range heads {
		switch {
		case (h.Column == "lost" || h.Column == "fit") && !someLost(o),
			own && slices.Contains([]string{"total", "head", "body", "max"}, h.Column):
			continue
		}
		if own && h.Column == "share" {
			list = append(list, page.Head{
				Column: "own", Label: "Own", Title: "counts of the function itself, wherever its code is", Number: true,
			})
		}
		list = append(list, h)
		if own && h.Column == "share" {
			list = append(list, page.Head{
				Column: "inlined", Label: "Of these inlined", Title: "own counts where it is inlined into others", Number: true,
			})
		}
	}
	return list
}

// heatSegments are the choices of hot and cold functions.
func heatSegments(a site.Address, o *sampledb.Overview) []page.Segment {
	plain := a.Without("page", "cursor", "heat", lists.Selected)
	current := a.Query.Get("heat")
	list := []page.Segment{{Label: "All", URL: plain.String(), Current: current == ""}}
	for _, h := range []struct {
		heat         sampledb.Heat
		label, title string
	}{
		{sampledb.Hot, "Hot", "a count of " + say.Int(o.HotCount) + " or more"},
		{sampledb.Warm, "Warm", "neither hot nor cold"},
		{sampledb.Cold, "Cold", "no count above " + say.Int(o.ColdCount)},
	} {
		list = append(list, page.Segment{
			Label: h.label, Title: h.title, URL: plain.With("heat", string(h.heat)).String(), Current: current == string(h.heat),
		})
	}
	return list
}

// fitSegments are the choices of how functions stand in the program.
func fitSegments(a site.Address, o *sampledb.Overview) []page.Segment {
	plain := a.Without("page", "cursor", "fit", lists.Selected)
	current := a.Query.Get("fit")
	list := []page.Segment{{Label: "Stale and gone", URL: plain.String(), Current: current == ""}}
	for _, f := range []struct {
		word, label string
		fit         sampleprof.Fit
	}{
		{"stale", "Stale", sampleprof.FitStale}, {"gone", "Gone", sampleprof.FitGone}, {"same", "Same", sampleprof.FitSame},
		{"unknown", "Cannot be told", sampleprof.FitUnknown},
	} {
		if n := o.Program.Fits[f.fit].Functions; n > 0 || current == f.word {
			list = append(list, page.Segment{
				Label: f.label + " " + say.Int(n), URL: plain.With("fit", f.word).String(), Current: current == f.word,
			})
		}
	}
	return list
}

// functionChips are the filters besides those of the list.
func functionChips(a site.Address) (chips []page.Chip) {
	for _, key := range functionKeys {
		if value := a.Query.Get(key); value != "" {
			text := key + ": " + say.Printable(value)
			switch key {
			case "unlisted":
				text = "not in the list of symbols"
			case "unnamed":
				text = "name not known"
			case "among":
				text = "inlined ones too"
			case "heat", "fit":
				continue // the switch says so
			}
			chips = append(chips, page.Chip{Text: text, Remove: a.Without(key, "page", "cursor", lists.Selected).String()})
		}
	}
	return chips
}

func functionsSay(view site.View, o *sampledb.Overview, found *sampledb.Page, own bool) string {
	count := say.Plural(found.Matching, "function", "functions") + " with "
	samples := say.Things(say.Count(found.Total).Text, "sample", "samples")
	switch {
	case view == site.StaleView && found.Matching == found.All:
		return count + "samples of their own."
	case view == site.StaleView:
		return count + samples + " of their own, " +
			say.Percent(site.Part(float64(found.Total), o.Samples.Float64()), 1) +
			" of all; inlined code counts for the function that it is of."
	case own:
		return count + samples + " of their own; inlined code counts for the function that it is of."
	}
	return count + samples + " in total; inlined code counts for the function that it is in."
}

// inspect fills the inspector of a function.
func (s *room) inspect(m *page.Inspector, o *sampledb.Overview, n *sampledb.Name, row *sampleview.FunctionRow) {
	m.Missing, m.Name, m.URL, m.Open, m.Rank = "", row.Name, row.URL, "Open function", "row "+row.Rank
	for _, t := range []*page.Tag{row.Heat, row.Fit} {
		if t != nil {
			m.Tags = append(m.Tags, *t)
		}
	}
	m.Facts = functionFacts(o, n)
}

// functionFacts are the figures of a function, exact.
func functionFacts(o *sampledb.Overview, n *sampledb.Name) []page.Fact {
	facts := []page.Fact{
		{Term: "Total", Value: say.Int(n.Total), Note: "with what is inlined into it"},
		{Term: "Head", Value: say.Int(n.Head), Note: "times it was entered by a branch"},
		{Term: "Entries", Value: say.Int(n.Entry), Note: "estimated as the compiler does"},
		{Term: "Own samples", Value: say.Int(n.Body)},
		{Term: "Where inlined", Value: say.Int(n.Inlined), Note: say.Plural(n.InlinedAt, "place", "places")},
		{Term: "Largest count", Value: say.Int(n.Max)},
		{
			Term: "Calls to it", Value: say.Int(n.Calls),
			Note: "that were not inlined, from " + say.Plural(n.Callers, "place", "places"),
		},
		{Term: "Inlined into it", Value: say.Plural(n.Inlinees, "callee", "callees")},
		{Term: "GUID", Value: say.Hex64(n.GUID)},
	}
	if o.Has(sampleprof.FullContexts) {
		facts = append(facts, page.Fact{Term: "Contexts", Value: say.Int(n.Entries)})
	}
	if n.Checksum != 0 {
		facts = append(facts, page.Fact{Term: "Checksum", Value: say.Hex64(n.Checksum), Note: "of its control flow graph"})
	}
	if o.Symbols >= 0 {
		facts = append(facts, page.Fact{
			Term: "In the symbol list", Value: map[bool]string{true: "yes", false: "no"}[n.Listed],
		})
	}
	if n.Given {
		facts = append(facts, page.Fact{Term: "Name", Value: "given back for its MD5"})
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
		facts = append(facts, page.Fact{Term: "Attribute", Value: word})
	}
	return facts
}
