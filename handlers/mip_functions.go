package handlers

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"proflens/names"
	"proflens/profiledb/mipdb"
	"proflens/profiledb/query"
	"proflens/tables"
	"proflens/views"
	"proflens/views/page"
)

// mipTable is one of the tables of functions of machine IR: what it has of them,
// and how it shows them.
type mipTable struct {
	view  view
	title string
	lead  string
	how   page.How
	usual string   // order, as in sort=
	cols  []string // usual columns
	fixed []string // parameters and values, in turn, of what the table is of
}

var (
	mipAllTable = mipTable{
		view: functionsView, title: "Functions", how: page.HowMIPExecuted, usual: "-size",
		cols: []string{nameColumn, "size", "covered_share", "blocks", "merge_count", "call_count", "avg_timestamp"},
	}
	mipDeadTable = mipTable{
		view: deadView, title: "Never executed", how: page.HowMIPExecuted, usual: "-size",
		lead:  "Functions of the map that no run executed, the largest first. What is absent from the map was not instrumented: it is unknown, not dead.",
		cols:  []string{nameColumn, "size", "blocks", "address"},
		fixed: []string{"executed", "false"},
	}
	mipCallsTable = mipTable{
		view: callsView, title: "Calls", how: page.HowMIPCalls, usual: "-call_count",
		lead:  "Functions by how often they were called, in all runs together.",
		cols:  []string{nameColumn, "call_count", "weight", "size", "merge_count", "covered_share"},
		fixed: []string{"call_count", "1.."},
	}
)

// mipFunctionsRequest is a request for a page of such a table.
type mipFunctionsRequest struct {
	mipTable
	mipFunctionParams
	columns []mipTableColumn
	base    string // "/p/{id}"
	address address
}

// mipFunctionsPage is GET /p/{id}/functions, /dead and /calls of a Machine IR
// Profile.
func (s *mipRoom) mipFunctionsPage(t mipTable) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		query := r.URL.Query()
		if query.Get("format") != "" {
			return t.redirect(w, r, s)
		}
		p, err := parseMIPFunctions(query)
		if err != nil {
			return err
		}
		if err := hasRuns(s.machine(r).Overview, p.Query.Run, p.Query.OnlyRun); err != nil {
			return err
		}
		v := mipFunctionsRequest{mipTable: t, mipFunctionParams: p, base: pageOf(s.entry(r).ID), address: addressOf(r.URL)}
		if len(query["cols"]) > 1 { // as the form of columns sends them
			http.Redirect(w, r, v.address.String(), http.StatusSeeOther)
			return nil
		}
		ctx, cancel := s.requestContext(r)
		defer cancel()
		o := s.machine(r).Overview
		if v.columns, err = shownMIPColumns(p.Cols, t.cols, o.HasTimestamps()); err != nil {
			return err
		}
		if s.notModifiedPage(w, r) {
			return nil
		}
		m, err := s.mipFunctionsModel(ctx, w, v, o, s.machine(r))
		if err != nil {
			return err
		}
		shell := s.profileShell(r, t.view, "")
		shell.Keys = listKeyLines
		return s.render(w, r, http.StatusOK, views.MIPFunctions(shell, *m))
	}
}

// listKeyLines work on lists of functions.
var listKeyLines = []page.Key{
	{Keys: []string{"f"}, Does: "filter"},
	{Keys: []string{"n", "p"}, Does: "next, previous page"},
	{Keys: []string{"y"}, Does: "copy the row's name as shown"},
}

// redirect sends ?format= to the same rows of the API.
func (t *mipTable) redirect(w http.ResponseWriter, r *http.Request, s *mipRoom) error {
	a := t.whole(addressOf(r.URL))
	a.path = apiOf(s.entry(r).ID) + "/functions"
	http.Redirect(w, r, a.String(), http.StatusSeeOther)
	return nil
}

// whole adds to an address what the table takes for granted.
func (t *mipTable) whole(a address) address {
	for i := 0; i+1 < len(t.fixed); i += 2 {
		if a.query.Get(t.fixed[i]) == "" {
			a = a.with(t.fixed[i], t.fixed[i+1])
		}
	}
	if a.query.Get("sort") == "" && t.usual != mipAllTable.usual {
		a = a.with("sort", t.usual)
	}
	return a
}

// query is that of the rows, with what the table takes for granted.
func (v *mipFunctionsRequest) query() mipdb.Query {
	q := v.Query
	switch v.view {
	case deadView:
		q.Executed = tables.Dead().Executed
	case callsView:
		if !slices.ContainsFunc(q.Ranges, func(r query.Range) bool { return r.Column == mipdb.ColCalls }) {
			q.Ranges = append(slices.Clone(q.Ranges), query.Range{Column: mipdb.ColCalls, Min: 1, Max: 1<<64 - 1})
		}
		if len(q.Sort) == 0 {
			q.Sort = []query.Key{{Column: mipdb.ColCalls, Desc: true}}
		}
	}
	return q
}

func (s *mipRoom) mipFunctionsModel(ctx context.Context, w http.ResponseWriter, v mipFunctionsRequest, o *mipdb.Overview, p *mipdb.Profile) (*page.MIPFunctions, error) {
	list := v.address
	m := &page.MIPFunctions{
		Title: v.title, Lead: v.lead, How: v.how, Action: v.address.path,
		Chips: mipChips(list, v.fixed), Clear: list.without(append([]string{"page", "cursor"}, mipFilterKeys...)...).String(),
		Filter: mipFilterForm(list, o, v.mipTable), Quick: keep(list.without("q", "page", "cursor")),
		Modes: modeSegments(v.address, v.Names), Columns: mipColumnMenu(v.columns, list),
		CSV:   list.without("page", "cursor", "limit").with("format", "csv").String(),
		Heads: mipHeads(v.columns, v.Query.Sort, v.usual, v.address),
	}
	if m.Empty = mipEmpty(p); m.Empty != nil {
		m.Status.Shown = "no rows"
		return m, nil
	}
	if v.view == callsView && !o.HasTimestamps() {
		m.Empty = &page.Blank{Title: "No calls were counted", Text: "The program was built for coverage, which says whether a function ran, and not how often."}
		m.Status.Shown = "no rows"
		return m, nil
	}
	rows, err := p.Functions(ctx, v.query())
	if err != nil {
		return nil, err
	}
	if !rows.Complete {
		unsettled(w)
		m.Incomplete = &page.Incomplete{Searched: "searched " + page.Int(rows.Scanned) + " of " + page.Int(rows.All), URL: v.address.String()}
	}
	v.say(m, o, rows)
	if v.view == deadView {
		if m.Sums, err = deadSums(ctx, v, o, p); err != nil {
			return nil, err
		}
	}
	for i := range rows.Rows {
		m.Rows = append(m.Rows, mipFunctionRow(v.base, o, &rows.Rows[i], symbols{s.names, v.Names}))
	}
	m.Status = v.status(o, rows)
	m.Pager = listPager(v.address, &v.listing, rows.Matching)
	for _, n := range pageSizes {
		value := strconv.Itoa(n)
		if n == defaultLimit {
			value = ""
		}
		m.Pager.Limits = append(m.Pager.Limits, page.Segment{Label: page.Int(n), URL: list.without("page", "cursor").with("limit", value).String(), Current: n == v.Limit})
	}
	return m, nil
}

// say adds the sentences of a table.
func (v *mipFunctionsRequest) say(m *page.MIPFunctions, o *mipdb.Overview, rows *mipdb.Page) {
	t := &rows.Totals
	switch v.view {
	case deadView:
		m.Says = page.Plural(t.Functions, "function", "functions") + " with " + page.Bytes(t.Bytes).Text + ": " +
			page.Percent(tables.PartOf(t.Functions, o.Functions), 1) + " of all functions, " + page.Percent(tables.PartOf(t.Bytes, o.Bytes), 1) + " of all bytes."
		if missed := o.ExecutedBytes - min(o.CoveredBytes, o.ExecutedBytes); o.HasBlocks() && missed > 0 {
			m.Notes = append(m.Notes, "In functions that ran, another "+page.Bytes(missed).Text+" are in blocks that did not.")
		}
	case callsView:
		m.Says = page.BigCount(t.Calls.String()).Text + " calls of " + page.Plural(t.Functions, "function", "functions") + "."
		if o.Saturated > 0 {
			m.Notes = append(m.Notes, page.Plural(o.Saturated, "count is marked ≥: it", "counts are marked ≥: they")+" reached what one run can count, so that there were at least so many calls.")
		}
		a := v.address.without("page", "cursor")
		byWeight := len(v.Query.Sort) > 0 && v.Query.Sort[0].Column == mipdb.ColWeight
		m.Orders = []page.Segment{
			{Label: "Calls", Title: "the most called first", URL: a.without("sort").String(), Current: len(v.Query.Sort) == 0},
			{Label: "Calls × size", Title: "the most called bytes first", URL: a.with("sort", "-weight").String(), Current: byWeight},
		}
	default:
		m.Says = page.Int(t.Executed) + " of " + page.Plural(t.Functions, "function", "functions") + " executed (" + page.Percent(tables.PartOf(t.Executed, t.Functions), 1) + "); " +
			page.Bytes(t.CoveredBytes).Text + " of " + page.Bytes(t.Bytes).Text + " covered (" + page.Percent(tables.PartOf(t.CoveredBytes, t.Bytes), 1) + ")."
	}
}

func mipFunctionRow(base string, o *mipdb.Overview, r *mipdb.Row, s symbols) page.MIPFunctionRow {
	share := tables.PartOf(r.CoveredBytes, uint64(r.Size))
	path, _ := names.Split(r.Linkage)
	row := page.MIPFunctionRow{
		ID: r.FID, URL: base + "/functions/" + r.FID, Name: s.name(r.Linkage, r.Signature), Executed: r.Executed,
		Size: page.Count(uint64(r.Size)), Covered: page.Int(r.CoveredBytes), Share: page.Percent(share, 1), Bar: page.PartBar(share),
		Missed: page.Count(uint64(r.Size) - min(r.CoveredBytes, uint64(r.Size))),
		Blocks: page.Int(r.CoveredBlocks) + " of " + page.Int(r.Blocks), Removed: page.Int(r.RemovedBlocks), Merges: page.Int(r.MergeCount),
		Calls: page.Number{Text: "–"}, Weight: page.Number{Text: "–"}, First: "–", Address: mipAddress(o, r.Offset),
		Signature: page.Hex64(r.Signature), CFG: fmt.Sprintf("0x%08x", r.CFGSignature), Path: page.Printable(path), Index: page.Int(r.Index),
	}
	if o.HasTimestamps() {
		row.Calls, row.Weight, row.Saturated = page.Count(r.Calls), page.BigCount(r.Weight().String()), r.Saturated
		if r.MergeCount > 0 {
			row.First = firstPosition(r.First)
		}
	}
	return row
}

// firstPosition writes an average of places.
func firstPosition(first float64) string {
	whole, part, _ := strings.Cut(strconv.FormatFloat(first, 'f', 1, 64), ".")
	if part == "0" || part == "" {
		return page.Group(whole)
	}
	return page.Group(whole) + "." + part
}

// mipAddress writes an address at link time, or where the program is not at hand
// how far from the raw section it is.
func mipAddress(o *mipdb.Overview, offset int64) string {
	switch {
	case o.RawAddress != nil:
		return fmt.Sprintf("0x%x", *o.RawAddress+uint64(offset))
	case offset < 0:
		return fmt.Sprintf("−0x%x", -uint64(offset))
	}
	return fmt.Sprintf("+0x%x", offset)
}

// status says which rows are shown, and how many match.
func (v *mipFunctionsRequest) status(o *mipdb.Overview, p *mipdb.Page) page.Status {
	st := page.Status{Shown: "no rows", NoMatch: "0 of " + page.Plural(p.All, "function matches", "functions match")}
	if n := len(p.Rows); n > 0 {
		st.Shown = "rows " + page.Int(v.Offset+1) + "–" + page.Int(v.Offset+n) + " of " + page.Int(p.Matching)
	}
	switch {
	case !p.Complete:
		st.NoMatch = "No match so far"
	case p.Matching > 0:
		st.NoMatch = "There is no page " + page.Int(v.page())
	case v.view == deadView && !mipFiltered(&v.Query):
		st.NoMatch = "Every function ran"
	case mipFiltered(&v.Query):
		st.Remove = "Remove a filter to see more."
	}
	if p.Matching < p.All {
		st.Matching = page.Int(p.Matching) + " of " + page.Int(p.All) + " match"
		st.Share = "matching hold " + page.Percent(tables.PartOf(p.Totals.Bytes, o.Bytes), 1) + " of the bytes"
	}
	return st
}
