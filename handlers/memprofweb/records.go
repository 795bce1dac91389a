package memprofweb

import (
	"net/http"
	"slices"
	"strconv"

	"proflens/handlers/site"
	"proflens/profiledb/memprofdb"
	"proflens/say"
	"proflens/views/chart"
	"proflens/views/memprofview"
	"proflens/views/page"
)

// callSitesPage is GET /p/{id}/callsites: calls on the way to allocations, as
// an indexed profile has them.
func (s *room) callSitesPage(w http.ResponseWriter, r *http.Request) error {
	v, o, err := s.records(w, r, "/call-sites", "by")
	if o == nil || err != nil {
		return err
	}
	ctx, cancel := s.RequestContext(r)
	defer cancel()
	sites, err := s.heap(r).CallSites(ctx, v.Offset, v.Limit)
	if err != nil {
		return err
	}
	n, err := s.heapNames(ctx, s.heap(r), site.Symbols{Cache: s.Names, Mode: v.Names})
	if err != nil {
		return err
	}
	m := memprofview.Records{
		Title: "Call sites", CSV: v.csv, Modes: site.ModeSegments(v.address, v.Names),
		Note:  "Calls that lead to an allocation, grouped by caller. Where the contexts of a site differ in class, the compiler redirects these calls to clones. Callees are known for indirect calls only.",
		Says:  say.Plural(o.CallSites, "call site", "call sites") + ".",
		Heads: []page.Head{{Column: "place", Label: "#", Number: true}, {Column: "function", Label: "Function"}, {Column: "frames", Label: "Call", Title: "call and inlined frames, innermost first"}, {Column: "callees", Label: "Callees"}},
	}
	link := func(f *memprofdb.Function) memprofview.NameLink {
		if f == nil {
			return memprofview.NameLink{Name: say.Name{Base: "not known", Missing: true}}
		}
		return memprofview.NameLink{Name: n.function(f), URL: v.base + "/sites?function=" + site.FID(f.FID)}
	}
	for i := range sites {
		site := &sites[i]
		row := memprofview.CallSiteRow{Place: say.Int(site.Index), Owner: link(site.Function)}
		for j := range site.Stack {
			f := &site.Stack[j]
			name := n.function(f.Function)
			row.Frames = append(row.Frames, memprofview.Frame{Name: say.Name{Base: wholeName(name), Full: name.Full}, Place: place(f), Inline: f.Inline})
		}
		for _, c := range site.Callees {
			l := link(c)
			l.Name = say.Name{Base: wholeName(l.Name), Full: l.Name.Full}
			row.Callees = append(row.Callees, l)
		}
		m.CallSites = append(m.CallSites, row)
	}
	if o.CallSites == 0 {
		m.Empty = &page.Blank{Title: "No call sites", Text: "Only indexed profiles have them: llvm-profdata adds them when it indexes a raw profile with its executable."}
	}
	m.Shown = shownRows(v.Offset, len(sites), o.CallSites)
	m.Pager = site.ListPager(v.address, &v.Listing, o.CallSites)
	return s.Render(w, r, http.StatusOK, memprofview.RecordsPage(s.ProfileShell(r, site.CallSitesView, ""), m))
}

// dataPage is GET /p/{id}/data: how often static data was touched.
func (s *room) dataPage(w http.ResponseWriter, r *http.Request) error {
	v, o, err := s.records(w, r, "/data-access")
	if o == nil || err != nil {
		return err
	}
	ctx, cancel := s.RequestContext(r)
	defer cancel()
	d, err := s.heap(r).Data(ctx)
	if err != nil {
		return err
	}
	m := memprofview.Records{
		Title: "Data access", CSV: v.csv, Shown: "no rows",
		Note: "How often static data was accessed. Cold symbols and string literals are known to be untouched. String literals are named by the hash of their contents.",
		Heads: []page.Head{{Column: "symbol", Label: "Data"}, {Column: "kind", Label: "Kind"}, {Column: "class", Label: "Class"},
			{Column: "accesses", Label: "Accesses", Number: true}, {Column: "share", Label: "Share", Title: "of all recorded accesses"}, {Column: "declared", Label: "Declared at"}},
	}
	if d == nil {
		m.Empty = &page.Blank{Title: "No data access profile", Text: "Indexed MemProf profiles can have one from version 4 on; this file does not."}
		return s.Render(w, r, http.StatusOK, memprofview.RecordsPage(s.ProfileShell(r, site.DataView, ""), m))
	}
	var total, largest float64
	for i := range d.Records {
		total += float64(d.Records[i].AccessCount)
		largest = max(largest, float64(d.Records[i].AccessCount))
	}
	all := len(d.Records) + len(d.ColdSymbols) + len(d.ColdHashes)
	for i := v.Offset; i < min(v.Offset+v.Limit, all); i++ {
		row := memprofview.DataRow{Kind: "symbol", Cold: true, Accesses: say.Number{Text: "0"}}
		switch at := i - len(d.Records); {
		case at < 0:
			rec := &d.Records[i]
			share := site.Part(float64(rec.AccessCount), total)
			row = memprofview.DataRow{Kind: "symbol", Symbol: say.Printable(rec.Symbol), Accesses: say.Count(rec.AccessCount), Share: say.Percent(share, 1), Bar: chart.ShareBar(share, site.Part(largest, total))}
			if rec.IsString {
				row.Kind, row.Symbol = "string literal", say.Hex64(rec.Hash)
			}
			for _, l := range rec.Locations {
				row.Declared = append(row.Declared, say.Printable(l.File)+":"+strconv.FormatUint(uint64(l.Line), 10))
			}
		case at < len(d.ColdSymbols):
			row.Symbol = say.Printable(d.ColdSymbols[at])
		default:
			row.Kind, row.Symbol = "string literal", say.Hex64(d.ColdHashes[at-len(d.ColdSymbols)])
		}
		m.Data = append(m.Data, row)
	}
	m.Says = say.Plural(len(d.Records), "symbol or literal", "symbols and literals") + " with accesses, " + say.Int(len(d.ColdSymbols)+len(d.ColdHashes)) + " known to be cold."
	if all == 0 {
		m.Empty = &page.Blank{Title: "The data access profile is empty"}
	}
	m.Shown = shownRows(min(v.Offset, all), len(m.Data), all)
	m.Pager = site.ListPager(v.address, &v.Listing, all)
	return s.Render(w, r, http.StatusOK, memprofview.RecordsPage(s.ProfileShell(r, site.DataView, ""), m))
}

// recordsRequest is a request for a list without filters.
type recordsRequest struct {
	site.Listing
	base    string // "/p/{id}"
	address site.Address
	csv     string
}

// records is what the lists without filters have in common. The overview is
// nil when the answer is written.
func (s *room) records(w http.ResponseWriter, r *http.Request, table string, more ...string) (recordsRequest, *memprofdb.Overview, error) {
	v := recordsRequest{base: site.PageOf(s.Entry(r).ID), address: site.AddressOf(r.URL)}
	q, err := site.NewValues(r.URL.Query(), slices.Concat(site.ListingKeys, more))
	if err != nil {
		return v, nil, err
	}
	if v.Listing = q.Listing(); q.Err != nil {
		return v, nil, q.Err
	}
	api := site.Address{Path: "/api/v1/profiles" + v.base[len("/p"):] + table, Query: v.address.Without(more...).Query}
	v.csv = api.Without("page", "cursor", "limit", "names").With("format", "csv").String()
	if v.Format != "" {
		http.Redirect(w, r, api.String(), http.StatusSeeOther)
		return v, nil, nil
	}
	if s.NotModifiedPage(w, r) {
		return v, nil, nil
	}
	if s.Profile(r).Storing() {
		site.Unsettled(w)
	}
	return v, s.heap(r).Overview, nil
}
