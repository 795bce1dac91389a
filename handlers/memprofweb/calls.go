package memprofweb

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"proflens/analyze"
	"proflens/handlers/site"
	"proflens/profiledb/calltree"
	"proflens/profiledb/memprofdb"
	"proflens/profiledb/query"
	"proflens/say"
	"proflens/tables"
	"proflens/views/chart"
	"proflens/views/memprofview"
	"proflens/views/page"
)

// callsParams is a request for calls that lead to allocations, of a page and of the
// API.
type callsParams struct {
	Query   memprofdb.CallQuery // with Offset and Limit as in the listing
	Library *analyze.Library
	site.Listing
}

// recordedWord is the value of by for calls as an indexed profile has them.
const recordedWord = "recorded"

var (
	callKeys = slices.Concat(thresholdKeys, []string{"q", "mixed", "clone", "lib", "library", "sort"},
		site.ListingKeys)
	callPageKeys = append(slices.Clone(callKeys), "by", selKey)
)

// parseCalls reads such a request. Errors are *site.ParamError.
func parseCalls(q url.Values, keys []string, own *analyze.Library) (callsParams, error) {
	v, err := site.NewValues(q, keys)
	if err != nil {
		return callsParams{}, err
	}
	p := callsParams{
		Query: memprofdb.CallQuery{
			Thresholds: thresholdsOf(v), Text: strings.TrimSpace(v.Words("q")), Mixes: v.Yes("mixed"), Clones: v.Yes("clone"),
			Sort: v.Sort("sort", memprofdb.CallColumns),
		},
		Library: libraryOf(v, own), Listing: v.Listing(),
	}
	site.Choice(v, "by", "", recordedWord)
	if site.Choice(v, "lib", foldWord, showWord) == foldWord {
		p.Query.Fold = p.Library
	}
	p.Query.Offset, p.Query.Limit = p.Offset, p.Limit
	return p, v.Err
}

// openCalls is the calls that lead to allocations.
func openCalls(ctx context.Context, p *memprofdb.Profile, q callsParams, o tables.Options, _ bool) (tables.Table,
	error) {
	return tables.Calls(ctx, p, q.Query, o)
}

// callsPage is GET /p/{id}/callsites: the calls that lead to allocations, the verdict
// first.
func (s *room) callsPage(w http.ResponseWriter, r *http.Request) error {
	if r.URL.Query().Get("by") == recordedWord { // which has filters and an order of its own
		return s.callSitesPage(w, r)
	}
	p, err := parseCalls(r.URL.Query(), callPageKeys, s.own())
	if err != nil {
		return err
	}
	a, base := site.AddressOf(r.URL), site.PageOf(s.Entry(r).ID)
	api := apiOf(a.Without(selKey), base, "/calls")
	if p.Format != "" {
		http.Redirect(w, r, api.String(), http.StatusSeeOther)
		return nil
	}
	ctx, end, err := s.BeginView(w, r, p.Format)
	if ctx == nil {
		return err
	}
	defer end()
	calls, err := s.heap(r).Calls(ctx, p.Query)
	if err != nil {
		return err
	}
	n, err := s.heapNames(ctx, s.heap(r), site.Symbols{Cache: s.Names, Mode: p.Names})
	if err != nil {
		return err
	}
	n.base = site.PageOf(s.Entry(r).ID)
	m := callsModel(a, &p, calls, s.heap(r).Overview)
	m.CSV = api.Without("page", "cursor", "limit", "names").With("format", "csv").String()
	flame := site.Address{Path: base + "/flame", Query: url.Values{"layout": {string(calltree.Sandwich)}}}
	whole, largest := calls.Totals.Bytes.Float64(), 0.0
	for i := range calls.Rows {
		largest = max(largest, calls.Rows[i].Bytes.Float64())
	}
	for i := range calls.Rows {
		to := flame
		if !calls.Rows[i].ToLibrary { // which folding would leave out
			to = folded(flame, memprofdb.Fold{Library: p.Query.Fold, Recursion: true})
		}
		c := &calls.Rows[i]
		row := callRow(c, n, to, whole, largest)
		row.Selected = a.Selected(site.FID(c.ID))
		if row.Selected.Selected {
			inspectCall(m.Inspector, &row, c, n, base)
		}
		m.Rows = append(m.Rows, row)
	}
	return s.Render(w, r, http.StatusOK, memprofview.CallsPage(s.ProfileShell(r, site.CallSitesView, ""), m))
}

// callsModel is the page without its rows.
func callsModel(a site.Address, p *callsParams, calls *memprofdb.CallPage, o *memprofdb.Overview) memprofview.Calls {
	plain := a.Without("page", "cursor", "mixed", "clone", selKey)
	m := memprofview.Calls{
		Title: "Call sites", Quick: page.QuickFilter{Action: a.Path, Q: p.Query.Text, Label: "caller, callee or file",
			Keep: site.Keep(a.Without("q", "page", "cursor", selKey))},
		Inspector: a.Inspector("call"),
		Modes:     site.ModeSegments(a, p.Names), Library: libraryForm(a, p.Library), Heads: callHeads(p.Query.Sort, a),
		Switches: foldSwitches(a.Without("page", "cursor"), memprofdb.Fold{Library: p.Query.Fold}, true)[:1],
		Show: []page.Segment{
			{Label: "All calls " + say.Int(calls.All), URL: plain.String(), Current: !p.Query.Mixes && !p.Query.Clones},
			{
				Label: "Mixed classes " + say.Int(calls.Mixes), Title: "reach contexts of several classes",
				URL: plain.With("mixed", "1").String(), Current: p.Query.Mixes,
			},
			{
				Label: "Needs a clone " + say.Int(calls.Clones), Title: "reach both cold and other contexts",
				URL: plain.With("clone", "1").String(), Current: p.Query.Clones,
			},
		},
		Shown: shownRows(p.Offset, len(calls.Rows), calls.Matching), Pager: site.ListPager(a, &p.Listing, calls.Matching),
	}
	if o.CallSites > 0 {
		m.Ways = []page.Segment{
			{Label: "Calls", URL: a.Without("by").String(), Current: true},
			{
				Label: "As recorded", Title: "as listed in the file, in file order",
				URL: site.Address{Path: a.Path, Query: url.Values{"by": {recordedWord}}}.String(),
			},
		}
	}
	if calls.Folded > 0 {
		m.Folded = say.Plural(calls.Folded, "call", "calls") + " from library code folded"
	}
	switch {
	case calls.Clones > 0:
		m.Verdict = say.Plural(calls.Clones, "call needs a clone:", "calls need a clone:")
		m.Because = "they lead to both cold and other allocations."
		if calls.Clones == 1 {
			m.Because = "it leads to both cold and other allocations."
		}
	case hasDensity(o) && hasLifetime(o):
		m.Verdict, m.Because = "No call needs a clone:", "none leads to both cold and other allocations."
		if shortRun(o) {
			m.Because = "none leads to cold allocations; " + coldNeeds + "."
		}
	default:
		m.Verdict, m.Because = "No classes:", "they depend on lifetimes and access densities, which the profile lacks."
	}
	if calls.Mixes > 0 && calls.Clones == 0 {
		m.Because += " " + say.Int(calls.Mixes) + " of " + say.Plural(calls.All, "call mixes", "calls mix") +
			" hot with not cold."
	}
	switch {
	case calls.All == 0 && calls.Folded == 0:
		m.Empty = &page.Blank{Title: "No calls", Text: "No call stack has a caller."}
	case calls.Matching == 0:
		m.Empty = &page.Blank{Title: "0 of " + say.Plural(calls.All, "call", "calls") + " match"}
	}
	return m
}

// callHeads are the columns of calls.
func callHeads(keys []query.Key, a site.Address) []page.Head {
	order := site.OrderOf(keys, query.Key{Column: memprofdb.ColBytes, Desc: true}, a, "-bytes")
	var list []page.Head
	for _, c := range []struct {
		id           string
		key          query.Column
		label, title string
		number       bool
	}{
		{"caller", memprofdb.ColCaller, "Caller", "function containing the call", false},
		{"at", "", "At", "line of the call", false},
		{"callee", memprofdb.ColCallee, "Callee", "the called function, and frames inlined between", false},
		{"bytes", memprofdb.ColBytes, "Bytes reached", "bytes of the contexts through this call", true},
		{"share", "", "Share", "of all bytes", true},
		{"contexts", memprofdb.ColContexts, "Contexts", "allocation contexts through this call", true},
		{"sites", memprofdb.ColSites, "Sites", "allocation sites reached", true},
		{"mix", "", "Classes", "bytes by class", false},
		{"hot", memprofdb.ColHot, "Hot", "share of hot bytes", true},
		{"cold", memprofdb.ColCold, "Cold", "share of cold bytes", true},
	} {
		h := page.Head{Column: c.id, Label: c.label, Title: c.title, Number: c.number}
		if c.key != "" {
			h.Sort, h.URL = order.Link(c.key, !c.number)
		}
		list = append(list, h)
	}
	return list
}

func callRow(c *memprofdb.Call, n frameNames, flame site.Address, whole, largest float64) memprofview.CallRow {
	share := site.Part(c.Bytes.Float64(), whole)
	row := memprofview.CallRow{
		Caller: n.function(c.Caller), Callee: n.function(c.Callee),
		URL: flame.With("around", site.FID(c.Callee.FID)).String(),
		At:  say.Printable(memprofdb.ShortFile(c.File)), Place: say.Printable(analyze.ResolvePath(c.File)),
		PlaceURL: n.lineURL(c.File, c.Line),
		Bar:      chart.ShareBar(share, site.Part(largest, whole)), Bytes: memprofview.BigBytes(c.Bytes.String()),
		Share:    say.Percent(share, 1),
		Contexts: say.Count(c.Contexts), Sites: say.Int(c.Sites), Hot: "–", Cold: "–", Clone: c.Mixed > 0,
	}
	if c.Line > 0 && row.At != "" {
		row.At += ":" + strconv.FormatUint(uint64(c.Line), 10)
	} else if row.At == "" {
		row.At = "line +" + strconv.FormatUint(uint64(c.LineOffset), 10)
	}
	if len(c.Inlined) > 0 {
		row.Inlined = "+" + say.Int(len(c.Inlined)) + " inlined"
		var lines []string
		for _, f := range slices.Backward(c.Inlined) {
			lines = append(lines, n.function(f).Whole())
		}
		row.InlinedNames = strings.Join(lines, "\n")
	}
	at, says := 0.0, []string{}
	for _, i := range []int{2, 1, 0, 3} { // hot, not cold, cold, unknown
		class := analyze.MemProfClasses[i]
		if c.Classes[i].Contexts == 0 {
			continue
		}
		part := site.Part(c.Classes[i].Bytes.Float64(), c.Bytes.Float64())
		row.Mix = append(row.Mix, memprofview.MixPart{
			X: chart.Decimal(at), Width: chart.Decimal(1000 * part), Fill: "class-" + classWord(class),
		})
		at += 1000 * part
		says = append(says, say.Percent(part, 1)+" "+string(class))
		switch class {
		case analyze.MemProfHot:
			row.Hot = say.Percent(part, 0)
		case analyze.MemProfCold:
			row.Cold = say.Percent(part, 0)
		}
	}
	row.MixSays = strings.Join(says, ", ")
	return row
}
