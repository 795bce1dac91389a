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
	m := sampleview.Calls{List: edgeList.Frame(a, &p.Params, lists.Found{Shown: len(found.Rows), Matching: found.Matching, All: found.All}), Title: "Call graph"}
	m.Inspector = nil
	m.CSV = a.Without(lists.Selected, "page", "cursor", "limit").With("format", "csv").Moved(site.APIOf(s.Entry(r).ID) + "/calls")
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
			Caller: nameOf(e.Caller, s), CallerURL: pageOf(base, e.Caller), Callee: nameOf(e.Callee, s), CalleeURL: pageOf(base, e.Callee),
			Calls: say.Count(e.Calls), Bar: chart.ShareBar(part(e.Calls, largest), 1), Places: say.Int(e.Places), Inlined: say.Count(e.Inlined), InlinedAt: say.Int(e.InlinedAt),
		})
	}
	return rows
}

// callsOf is the call graph around a function.
func callsOf(base, side string, guid uint64) string {
	return site.Address{Path: base + "/calls", Query: url.Values{side: {site.FID(guid)}}}.String()
}
