package mipweb

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"proflens/handlers/site"
	"proflens/names"
	"proflens/profiledb/mipdb"
	"proflens/profiledb/query"
	"proflens/say"
	"proflens/tables"
	"proflens/views/chart"
	"proflens/views/mipview"
	"proflens/views/page"
)

// mipTable is one of the tables of functions of machine IR: what it has of them,
// and how it shows them.
type mipTable struct {
	view  site.View
	title string
	lead  string
	how   page.How
	usual string   // order, as in sort=
	cols  []string // usual columns
	fixed []string // parameters and values, in turn, of what the table is of
}

var (
	allTable = mipTable{
		view: site.FunctionsView, title: "Functions", how: page.HowMIPExecuted, usual: "-size",
		cols: []string{site.NameColumn, "size", "covered_share", "blocks", "merge_count", "call_count", "avg_timestamp"},
	}
	deadTable = mipTable{
		view: site.DeadView, title: "Never executed", how: page.HowMIPExecuted, usual: "-size",
		lead: "Functions of the map that no run executed, largest first. Functions absent from the map were not " +
			"instrumented: whether they ran is unknown.",
		cols:  []string{site.NameColumn, "size", "blocks", "address"},
		fixed: []string{"executed", "false"},
	}
	callsTable = mipTable{
		view: site.CallsView, title: "Calls", how: page.HowMIPCalls, usual: "-call_count",
		lead:  "Functions by number of calls, over all runs.",
		cols:  []string{site.NameColumn, "call_count", "weight", "size", "merge_count", "covered_share"},
		fixed: []string{"call_count", "1.."},
	}
)

// functionsRequest is a request for a page of such a table.
type functionsRequest struct {
	mipTable
	functionParams
	columns []tableColumn
	base    string // "/p/{id}"
	address site.Address
}

// functionsPage is GET /p/{id}/functions, /dead and /calls of a Machine IR
// Profile.
func (s *room) functionsPage(t mipTable) site.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		query := r.URL.Query()
		if query.Get("format") != "" {
			return t.redirect(w, r, s)
		}
		p, err := parseMIPFunctions(query, "sel")
		if err != nil {
			return err
		}
		if err := hasRuns(s.machine(r).Overview, p.Query.Run, p.Query.OnlyRun); err != nil {
			return err
		}
		v := functionsRequest{
			mipTable: t, functionParams: p, base: site.PageOf(s.Entry(r).ID), address: site.AddressOf(r.URL),
		}
		if len(query["cols"]) > 1 { // as the form of columns sends them
			http.Redirect(w, r, v.address.String(), http.StatusSeeOther)
			return nil
		}
		ctx, cancel := s.RequestContext(r)
		defer cancel()
		o := s.machine(r).Overview
		if v.columns, err = shownColumns(p.Cols, t.cols, o.Measured); err != nil {
			return err
		}
		if s.NotModifiedPage(w, r) {
			return nil
		}
		m, err := s.functionsModel(ctx, w, v, o, s.machine(r))
		if err != nil {
			return err
		}
		shell := s.ProfileShell(r, t.view, "")
		shell.Keys = listKeyLines
		return s.Render(w, r, http.StatusOK, mipview.FunctionsPage(shell, *m))
	}
}

// listKeyLines work on lists of functions.
var listKeyLines = []page.Key{
	{Keys: []string{"f"}, Does: "filter"},
	{Keys: []string{"n", "p"}, Does: "next, previous page"},
	{Keys: []string{"N"}, Does: "copy the row's name as shown"},
}

// redirect sends ?format= to the same rows of the API.
func (t *mipTable) redirect(w http.ResponseWriter, r *http.Request, s *room) error {
	a := t.whole(site.AddressOf(r.URL).Unselected())
	a.Path = site.APIOf(s.Entry(r).ID) + "/functions"
	http.Redirect(w, r, a.String(), http.StatusSeeOther)
	return nil
}

// whole adds to an address what the table takes for granted.
func (t *mipTable) whole(a site.Address) site.Address {
	for i := 0; i+1 < len(t.fixed); i += 2 {
		if a.Query.Get(t.fixed[i]) == "" {
			a = a.With(t.fixed[i], t.fixed[i+1])
		}
	}
	if a.Query.Get("sort") == "" && t.usual != allTable.usual {
		a = a.With("sort", t.usual)
	}
	return a
}

// query is that of the rows, with what the table takes for granted.
func (v *functionsRequest) query() mipdb.Query {
	q := v.Query
	switch v.view {
	case site.DeadView:
		q.Executed = tables.Dead().Executed
	case site.CallsView:
		if !slices.ContainsFunc(q.Ranges, func(r query.Range) bool { return r.Column == mipdb.ColCalls }) {
			q.Ranges = append(slices.Clone(q.Ranges), query.Range{Column: mipdb.ColCalls, Min: 1, Max: 1<<64 - 1})
		}
		if len(q.Sort) == 0 {
			q.Sort = []query.Key{{Column: mipdb.ColCalls, Desc: true}}
		}
	}
	return q
}

func (s *room) functionsModel(ctx context.Context, w http.ResponseWriter, v functionsRequest, o *mipdb.Overview,
	p *mipdb.Profile) (*mipview.Functions, error) {
	list := v.address.Unselected()
	m := &mipview.Functions{
		Inspector: v.address.Inspector("function"),
		Title:     v.title, Lead: v.lead, How: v.how, Action: v.address.Path,
		Chips: chips(list, v.fixed), Clear: list.Without(append([]string{"page", "cursor"}, filterKeys...)...).String(),
		Filter: filterForm(list, o, v.mipTable), Quick: site.Keep(list.Without("q", "page", "cursor")),
		Modes:   site.ModeSegments(v.address, v.Names),
		Columns: site.ColumnChoice(tableColumns, v.columns, site.NameColumn, list),
		CSV:     list.Without("page", "cursor", "limit").With("format", "csv").String(),
		Heads:   site.ColumnHeads(v.columns, orderOf(v.Query.Sort, v.usual, v.address)),
	}
	for i := range m.Heads {
		if h := &m.Heads[i]; h.Column == "address" {
			h.Label, h.Title = addressHead(o)
			m.Notes = addressNotes(o)
		}
	}
	if m.Empty = mipEmpty(p); m.Empty != nil {
		m.Status.Shown = "no rows"
		return m, nil
	}
	if v.view == site.CallsView && !o.HasCalls() {
		m.Empty = &page.Blank{
			Title: "No calls were counted",
			Text:  "The program was not built for call counts: the profile says whether a function ran, not how often.",
		}
		m.Status.Shown = "no rows"
		return m, nil
	}
	rows, err := p.Functions(ctx, v.query())
	if err != nil {
		return nil, err
	}
	if !rows.Complete {
		site.Unsettled(w)
		m.Incomplete = &page.Incomplete{
			Searched: "searched " + say.Int(rows.Scanned) + " of " + say.Int(rows.All), URL: v.address.String(),
		}
	}
	v.say(m, o, rows)
	if v.view == site.DeadView {
		if m.Sums, err = deadSums(ctx, v, o, p); err != nil {
			return nil, err
		}
	}
	for i := range rows.Rows {
		row := functionRow(v.base, o, &rows.Rows[i], site.Symbols{Cache: s.Names, Mode: v.Names})
		if row.Selected = v.address.Selected(row.ID); row.Selected.Selected {
			if err := inspect(ctx, m.Inspector, p, &rows.Rows[i], row.Name, v.base); err != nil {
				return nil, err
			}
		}
		m.Rows = append(m.Rows, row)
	}
	m.Status = v.status(o, rows)
	m.Pager = site.ListPager(list, &v.Listing, rows.Matching)
	for _, n := range site.PageSizes {
		value := strconv.Itoa(n)
		if n == site.DefaultLimit {
			value = ""
		}
		m.Pager.Limits = append(m.Pager.Limits, page.Segment{
			Label: say.Int(n), URL: list.Without("page", "cursor").With("limit", value).String(), Current: n == v.Limit,
		})
	}
	return m, nil
}

// say adds the sentences of a table.
func (v *functionsRequest) say(m *mipview.Functions, o *mipdb.Overview, rows *mipdb.Page) {
	t := &rows.Totals
	switch v.view {
	case site.DeadView:
		m.Says = say.Plural(t.Functions, "function", "functions") + " with " + say.Bytes(t.Bytes).Text + ": " +
			say.Percent(tables.PartOf(t.Functions, o.Functions), 1) + " of all functions, " +
			say.Percent(tables.PartOf(t.Bytes, o.Bytes), 1) + " of all bytes."
		if missed := o.ExecutedBytes - min(o.CoveredBytes, o.ExecutedBytes); o.HasBlocks() && missed > 0 {
			m.Notes = append(m.Notes, "In functions that ran, another "+say.Bytes(missed).Text+" are in blocks that did not.")
		}
	case site.CallsView:
		m.Says = say.Things(say.BigCount(t.Calls.String()).Text, "call", "calls") + " of " +
			say.Plural(t.Functions, "function", "functions") + "."
		if o.Saturated > 0 {
			m.Notes = append(m.Notes, say.Plural(o.Saturated, "count is marked ≥: it",
				"counts are marked ≥: they")+" reached the maximum of one run, so there were at least that many calls.")
		}
		a := v.address.Unselected().Without("page", "cursor")
		byWeight := len(v.Query.Sort) > 0 && v.Query.Sort[0].Column == mipdb.ColWeight
		m.Orders = []page.Segment{
			{Label: "Calls", Title: "most calls first", URL: a.Without("sort").String(), Current: len(v.Query.Sort) == 0},
			{
				Label: "Calls × size", Title: "most called bytes first", URL: a.With("sort", "-weight").String(), Current: byWeight,
			},
		}
	default:
		m.Says = say.Int(t.Executed) + " of " + say.Plural(t.Functions, "function", "functions") + " executed (" +
			say.Percent(tables.PartOf(t.Executed, t.Functions), 1) + "); " +
			say.Bytes(t.CoveredBytes).Text + " of " + say.Bytes(t.Bytes).Text + " covered (" +
			say.Percent(tables.PartOf(t.CoveredBytes, t.Bytes), 1) + ")."
	}
}

func functionRow(base string, o *mipdb.Overview, r *mipdb.Row, s site.Symbols) mipview.FunctionRow {
	share := tables.PartOf(r.CoveredBytes, uint64(r.Size))
	path, _ := names.Split(r.Linkage)
	row := mipview.FunctionRow{
		ID: r.FID, URL: base + "/functions/" + r.FID, Name: s.Name(r.Linkage, r.Signature), Executed: r.Executed,
		Size: say.Count(uint64(r.Size)), Covered: say.Int(r.CoveredBytes), Share: say.Percent(share, 1),
		Bar:    chart.NewCover(share),
		Missed: say.Count(uint64(r.Size) - min(r.CoveredBytes, uint64(r.Size))),
		Blocks: say.Int(r.CoveredBlocks) + " of " + say.Int(r.Blocks), Removed: say.Int(r.RemovedBlocks),
		Merges: say.Int(r.MergeCount),
		Calls:  say.Number{Text: "–"}, Weight: say.Number{Text: "–"}, First: "–", Address: mipAddress(o, r.Offset),
		Signature: say.Hex64(r.Signature), CFG: fmt.Sprintf("0x%08x", r.CFGSignature), Path: say.Printable(path),
		Index: say.Int(r.Index),
	}
	if o.HasCalls() {
		row.Calls, row.Weight, row.Saturated = say.Count(r.Calls), say.BigCount(r.Weight().String()), r.Saturated
	}
	if o.HasTimestamps() && r.MergeCount > 0 {
		row.First = firstPosition(r.First)
	}
	return row
}

// firstPosition writes an average of places.
func firstPosition(first float64) string {
	whole, part, _ := strings.Cut(strconv.FormatFloat(first, 'f', 1, 64), ".")
	if part == "0" || part == "" {
		return say.Group(whole)
	}
	return say.Group(whole) + "." + part
}

// status says which rows are shown, and how many match.
func (v *functionsRequest) status(o *mipdb.Overview, p *mipdb.Page) page.Status {
	st := page.Status{Shown: "no rows", NoMatch: "0 of " + say.Plural(p.All, "function matches", "functions match")}
	if n := len(p.Rows); n > 0 {
		st.Shown = "rows " + say.Int(v.Offset+1) + "–" + say.Int(v.Offset+n) + " of " + say.Int(p.Matching)
	}
	switch {
	case !p.Complete:
		st.NoMatch = "No match so far"
	case p.Matching > 0:
		st.NoMatch = "There is no page " + say.Int(v.Page())
	case v.view == site.DeadView && !mipFiltered(&v.Query):
		st.NoMatch = "Every function ran"
	case mipFiltered(&v.Query):
		st.Remove = "Remove a filter to see more."
	}
	if p.Matching < p.All {
		st.Matching = say.Int(p.Matching) + " of " + say.Int(p.All) + " match"
		st.Share = "matching hold " + say.Percent(tables.PartOf(p.Totals.Bytes, o.Bytes), 1) + " of the bytes"
	}
	return st
}
