package sampleweb

import (
	"net/http"
	"net/url"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/profiledb/sampledb"
	"proflens/say"
	"proflens/views/chart"
	"proflens/views/page"
	"proflens/views/sampleview"
)

// callsPage is GET /p/{id}/calls: the call graph as a table.
func (s *room) callsPage(w http.ResponseWriter, r *http.Request) error {
	p, err := parseEdges(r.URL.Query(), lists.Selected)
	if err != nil {
		return err
	}
	a := site.AddressOf(r.URL)
	api := a.Without(lists.Selected).Moved(site.APIOf(s.Entry(r).ID) + "/calls")
	if p.Format != "" {
		http.Redirect(w, r, api, http.StatusSeeOther)
		return nil
	}
	ctx, end, err := s.BeginView(w, r, p.Format)
	if ctx == nil {
		return err
	}
	defer end()
	found, err := s.samples(r).Edges(ctx, p.Query)
	if err != nil {
		return err
	}
	base, symbols := site.PageOf(s.Entry(r).ID), site.Symbols{Cache: s.Names, Mode: p.Names}
	m := sampleview.Calls{
		List:  edgeList.Frame(a, &p.Params, lists.Found{Shown: len(found.Rows), Matching: found.Matching, All: found.All}),
		Title: "Call graph",
	}
	m.Inspector = nil
	m.CSV = a.Without(lists.Selected, "page", "cursor", "limit").With("format",
		"csv").Moved(site.APIOf(s.Entry(r).ID) + "/calls")
	m.Clear = site.Address{Path: a.Path}.String()
	m.Says = say.Plural(found.Matching, "edge", "edges") + ": " +
		say.Things(say.Count(found.Calls).Text, "sampled call that was", "sampled calls that were") + " not inlined, " +
		say.Things(say.Count(found.Inlined).Text, "sample", "samples") + " of inlined callees."
	for _, side := range []struct {
		key  string
		guid uint64
	}{{"caller", p.Query.Caller}, {"callee", p.Query.Callee}} {
		if side.guid == 0 {
			continue
		}
		text := side.key + ": " + site.FID(side.guid)
		if n, err := s.samples(r).ByGUID(ctx, side.guid); err == nil {
			text = side.key + ": " + site.ShortName(nameOf(n, symbols))
		}
		m.Chips = append(m.Chips, page.Chip{Text: text, Remove: a.Without(side.key, "page", "cursor").String()})
	}
	m.Rows = callRows(base, found.Rows, symbols)
	return s.Render(w, r, http.StatusOK, sampleview.CallsPage(s.ProfileShell(r, site.CallsView, ""), m))
}

// callRows are edges as rows.
func callRows(base string, edges []sampledb.Edge, s site.Symbols) (rows []sampleview.CallRow) {
	largest := uint64(0)
	for i := range edges {
		largest = max(largest, edges[i].Calls)
	}
	for i := range edges {
		e := &edges[i]
		rows = append(rows, sampleview.CallRow{
			Caller: nameOf(e.Caller, s), CallerURL: pageOf(base, e.Caller), Callee: nameOf(e.Callee, s),
			CalleeURL: pageOf(base, e.Callee),
			Calls:     say.Count(e.Calls), Bar: chart.ShareBar(part(e.Calls, largest), 1), Places: say.Int(e.Places),
			Inlined: say.Count(e.Inlined), InlinedAt: say.Int(e.InlinedAt),
		})
	}
	return rows
}

// callsOf is the call graph around a function.
func callsOf(base, side string, guid uint64) string {
	return site.Address{Path: base + "/calls", Query: url.Values{side: {site.FID(guid)}}}.String()
}

// symbolsPage is GET /p/{id}/symbols: the symbols of the profiled program.
func (s *room) symbolsPage(w http.ResponseWriter, r *http.Request) error {
	p, err := parseSymbols(r.URL.Query(), lists.Selected)
	if err != nil {
		return err
	}
	a := site.AddressOf(r.URL)
	api := site.APIOf(s.Entry(r).ID) + "/symbols"
	if p.Format != "" {
		http.Redirect(w, r, a.Without(lists.Selected).Moved(api), http.StatusSeeOther)
		return nil
	}
	ctx, end, err := s.BeginView(w, r, p.Format)
	if ctx == nil {
		return err
	}
	defer end()
	o := s.samples(r).Overview
	found, err := s.samples(r).Symbols(ctx, p.Query)
	if err != nil {
		return err
	}
	m := sampleview.Symbols{
		List:  symbolList.Frame(a, &p.Params, lists.Found{Shown: len(found.Rows), Matching: found.Matching, All: found.All}),
		Title: "Symbols",
	}
	m.Inspector = nil
	m.CSV = a.Without(lists.Selected, "page", "cursor", "limit").With("format", "csv").Moved(api)
	m.Clear = site.Address{Path: a.Path}.String()
	switch {
	case o.Symbols < 0:
		m.Says = "The file has no list of symbols: what was never sampled cannot be told from what is new."
		m.Empty = &page.Blank{
			Title: "No list of symbols", Text: "llvm-profgen and create_llvm_prof write one for extensible binary profiles; " +
				"llvm-profdata merge --prof-sym-list keeps it.",
		}
	default:
		m.Says = say.Int(o.Quality.Never) + " of " + say.Plural(o.Symbols, "symbol", "symbols") +
			" of the program have no sample: the compiler takes them for cold. " +
			say.Plural(o.Quality.Unlisted, "function with samples is", "functions with samples are") + " missing from the list."
	}
	plain := a.Without("page", "cursor", "never", lists.Selected)
	m.Show = []page.Segment{
		{Label: "All", URL: plain.String(), Current: !p.Query.Never},
		{Label: "Never sampled", URL: plain.With("never", "1").String(), Current: p.Query.Never},
	}
	if o.Quality.Unlisted > 0 {
		m.Show = append(m.Show, page.Segment{
			Label: "Missing from the list", URL: site.PageOf(s.Entry(r).ID) + "/functions?among=sampled&unlisted=1",
		})
	}
	symbols := site.Symbols{Cache: s.Names, Mode: p.Names}
	for i := range found.Rows {
		row := sampleview.SymbolRow{Name: symbols.Name(found.Rows[i].Linkage, 0)}
		if n := found.Rows[i].Name; n != nil {
			row.URL, row.Own = pageOf(site.PageOf(s.Entry(r).ID), n), say.Count(n.Own())
			row.Share = say.Percent(site.Part(float64(n.Own()), o.Samples.Float64()), 2)
		}
		m.Rows = append(m.Rows, row)
	}
	return s.Render(w, r, http.StatusOK, sampleview.SymbolsPage(s.ProfileShell(r, site.SymbolsView, ""), m))
}
