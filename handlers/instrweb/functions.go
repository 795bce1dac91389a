package instrweb

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strconv"

	"proflens/analyze"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/instrdb"
	"proflens/profile/stored"
	"proflens/views/chart"
	"proflens/views/instrview"
	"proflens/views/page"
)

// functionsRequest is a request for a page of the function table.
type functionsRequest struct {
	FunctionParams
	columns []site.Column
	hashes  []int // by row: see instrdb.Profile.Hashes
	whole   *stored.Overview
	base    string // "/p/{id}"
	address site.Address
}

// functionsPage is GET /p/{id}/functions.
func (s *handler) functionsPage(w http.ResponseWriter, r *http.Request) error {
	p, err := ParseFunctions(r.URL.Query())
	if bad, ok := errors.AsType[*site.ParamError](err); ok && slices.Contains(filterKeys, bad.Param) &&
		!r.URL.Query().Has("format") {
		return s.faultyFilter(w, r, bad)
	}
	if err != nil {
		return err
	}
	v := functionsRequest{
		FunctionParams: p, whole: s.Profile(r).Overview, base: "/p/" + s.Entry(r).ID, address: site.AddressOf(r.URL),
	}
	if p.Format != "" {
		return site.AnswerByAPI(w, r)
	}
	if v.columns, err = shownColumns(p.Cols); err != nil {
		return err
	}
	if site.RedirectJoined(w, r, v.address) {
		return nil
	}
	switch to, wrong, ok := asFilter(v.address); {
	case ok:
		http.Redirect(w, r, to.String(), http.StatusSeeOther)
		return nil
	case wrong != "":
		return s.faultyFilter(w, r, &site.ParamError{Msg: wrong})
	}
	ctx, err := s.BeginView(w, r, "")
	if ctx == nil {
		return err
	}
	o := s.records(r).Overview
	rows := &instrdb.Page{All: o.Functions, Complete: true}
	if asksInVain(v.address, o) == "" {
		if rows, err = s.records(r).Functions(ctx, p.Query); err != nil {
			return err
		}
	}
	selected, err := s.selected(ctx, s.records(r), p.Sel)
	if err != nil {
		return err
	}
	if !rows.Complete {
		site.Unsettled(w)
	}
	if len(p.Cols) == 0 && !analyze.HasEntry(o.Info.Variant) {
		v.columns = slices.DeleteFunc(v.columns, func(c site.Column) bool { return c.Sort == instrdb.ColEntry })
	}
	if len(p.Cols) == 0 && o.Placed == 0 {
		v.columns = slices.DeleteFunc(v.columns, func(c site.Column) bool { return c.Key == placeColumn })
	}
	if v.hashes, err = s.records(r).Hashes(ctx, rows.Rows); err != nil {
		return err
	}
	s.prefetch(r)
	model := functionsModel(v, o, rows, selected, s.Symbols(p.Names))
	return s.Render(w, r, instrview.FunctionsPage(s.functionsShell(r), model))
}

// functionsShell is the frame of the function table.
func (s *handler) functionsShell(r *http.Request) page.Shell {
	shell := s.ProfileShell(r, site.FunctionsView, "")
	shell.Keys = functionsKeys
	return shell
}

// functionsKeys work on the function table.
var functionsKeys = page.Keys(
	"f: filter",
	"Space: inspect the row",
	"n p: next, previous page",
	"x: how names are written",
	"N: copy the row's name as shown",
)

// faultyFilter answers a filter that cannot be read: the table's page without
// rows, with what is wrong and every filter there to be corrected or removed.
func (s *handler) faultyFilter(w http.ResponseWriter, r *http.Request, bad *site.ParamError) error {
	rest := r.URL.Query()
	rest.Del(bad.Param)
	p, err := ParseFunctions(rest)
	if err != nil {
		return bad // more than one is wrong
	}
	v := functionsRequest{
		FunctionParams: p, whole: s.Profile(r).Overview, base: "/p/" + s.Entry(r).ID, address: site.AddressOf(r.URL),
	}
	if v.columns, err = shownColumns(p.Cols); err != nil {
		return err
	}
	o := s.records(r).Overview
	model := functionsModel(v, o, &instrdb.Page{All: o.Functions, Complete: true}, nil,
		s.Symbols(p.Names))
	model.Inspector = nil
	model.Status = page.Status{Shown: "no rows", NoMatch: "Invalid filter", Remove: site.Sentence(bad.Error())}
	return s.RenderStatus(w, r, http.StatusBadRequest, instrview.FunctionsPage(s.functionsShell(r), model))
}

// functionsModel makes the function table from one page of rows. The selected
// record is nil when nothing is selected.
func functionsModel(v functionsRequest, o *instrdb.Overview, p *instrdb.Page, selected *selection,
	s site.Symbols) instrview.Functions {
	list, columns := v.address.Without("sel"), v.columns
	f := instrview.Functions{
		Action:  v.address.Path,
		Chips:   list.Without("sel").Chips(filterKeys, functionChip),
		Clear:   list.FirstPage(filterKeys...).String(),
		Filter:  filterForm(list, o),
		Modes:   site.ModeSegments(v.address, v.Names),
		Merge:   mergeSwitch(v.address, v.Query.Merge),
		Columns: site.ColumnChoice(tableColumns(), columns, site.NameColumn, list),
		Quick:   site.Keep(list.FirstPage("q")),
		CSV:     csvAddress(list),
		Heads:   site.ColumnHeads(columns, orderOf(v.Query.Sort, v.address)),
		Legend:  legendOf(o),
		Pager:   pager(v, p),
		Status:  status(v, o, p),
		Example: example(o),
	}
	if p.All == 0 {
		f.Empty = emptyReason(v.whole)
	}
	if !p.Complete {
		f.Incomplete = &page.Incomplete{
			Searched: humanize.Say("searched {} of {}", p.Scanned, p.All),
			URL:      v.address.String(),
		}
	}
	scale := topShare(o)
	for i := range p.Rows {
		row := functionRow(v, o, &p.Rows[i], scale, s)
		row.Hashes = v.hashes[i]
		f.Rows = append(f.Rows, row)
	}
	humanize.Apart(f.Rows, shown)
	if selected != nil {
		f.Inspector = inspector(v, o, selected, s)
	} else if v.Sel != "" {
		f.Inspector = &instrview.Inspector{Close: list.String(), Missing: "The selected function is not in this profile."}
	}
	return f
}

func shown(row *instrview.FunctionRow) *humanize.Name { return &row.Shown }

func functionRow(v functionsRequest, o *instrdb.Overview, r *instrdb.Row, scale float64,
	s site.Symbols) instrview.FunctionRow {
	id := rowID(r)
	row := instrview.FunctionRow{
		Row: r, URL: functionURL(v.base, o, r), Select: v.address.With("sel", id).String(),
		Selected: v.Sel == id || v.Sel == site.FID(r.Ref), Shown: s.Name([]byte(r.PGO), r.Ref), Class: classOf(o, r),
		Bar: chart.ShareBar(r.Share, scale), Declared: placeOf(v.base, r),
	}
	if r.Records > 1 {
		row.TimesURL = v.recordsURL(o, r)
	} else {
		row.Drawn = chart.NewShape(r.Shape, r.NumCounters, heatOf(o, r.CS))
	}
	return row
}

// placeOf leads to the line that a record's function is declared on; nil where it is not
// known.
func placeOf(base string, r *instrdb.Row) *page.Place {
	if r.File == "" {
		return nil
	}
	return &page.Place{
		Label: humanize.Printable(site.PlaceWords(r.File, r.Line)), Title: humanize.Printable(r.File),
		URL: site.LineURL(base, r.File, r.Line),
	}
}

// rowID names a record in sel=: its function, and its FuncHash after a colon.
// Merged rows have but the function.
func rowID(r *instrdb.Row) string {
	if r.Records > 1 {
		return site.FID(r.Ref)
	}
	return site.FID(r.Ref) + ":" + site.FID(r.FuncHash)
}

// functionURL is the page of a record's function. Where names of the profile
// have several records, it says which one to open.
func functionURL(base string, o *instrdb.Overview, r *instrdb.Row) string {
	u := base + "/functions/" + site.FID(r.Ref)
	if o.Functions > o.Names && o.Names > 0 && r.Records <= 1 {
		u += "?hash=" + humanize.Hex64(r.FuncHash)
	}
	return u
}

// recordsURL is the rows of which a merged row was made.
func (v *functionsRequest) recordsURL(o *instrdb.Overview, r *instrdb.Row) string {
	if r.PGO == "" {
		return functionURL(v.base, o, r)
	}
	_, linkage := names.Split([]byte(r.PGO))
	a := v.address.FirstPage("merge", "sel").With("named", names.Demangle(linkage, v.Names))
	if o.CSSummary != nil {
		a = a.With("cs", strconv.FormatBool(r.CS))
	}
	return a.String()
}

// mergeSwitch turns the merging of equal names on and off.
func mergeSwitch(a site.Address, on bool) page.Segment {
	a = a.FirstPage("sel", "merge")
	if !on {
		a = a.With("merge", "names")
	}
	return page.Segment{
		Label: "Group identical names", Title: "one row for all records with the same displayed name", URL: a.String(),
		Current: on,
	}
}

func pager(v functionsRequest, p *instrdb.Page) page.Pager {
	pg := site.ListPager(v.address.Without("sel"), &v.Listing, p.Matching)
	var sizes []site.Way
	for _, n := range site.PageSizes {
		sizes = append(sizes, site.Way{strconv.Itoa(n), humanize.Int(n), ""})
	}
	pg.Limits = v.address.FirstPage("sel").Ways("limit", strconv.Itoa(site.DefaultLimit),
		strconv.Itoa(v.Limit), sizes)
	return pg
}

// status says which rows are shown, of how many, and what they hold.
func status(v functionsRequest, o *instrdb.Overview, p *instrdb.Page) page.Status {
	st := page.Status{
		Shown:   lists.ShownRows(v.Offset, len(p.Rows), p.Matching),
		NoMatch: humanize.Say("0 of {function matches|functions match}", p.All),
	}
	if !p.Complete {
		st.NoMatch = "No match so far"
	} else if p.Matching > 0 {
		st.NoMatch = "There is no page " + humanize.Int(v.Page())
	} else if v.Query.Filtered() {
		st.Remove = cmp.Or(functionList.NoColumn(v.Query.Text), "Remove a filter to see more.")
		if none := asksInVain(v.address, o); none != "" {
			st.NoMatch, st.Remove = none, "Filter by total instead."
		}
	}
	if v.Query.Merge && len(p.Rows) > 0 {
		st.Shown += ", merged from " + humanize.Plural(p.Records, "record")
	}
	if p.Records < p.All && !o.Total.IsZero() {
		st.Share = humanize.Say("matching hold {%} of the count", p.MatchingTotal.Float64()/o.Total.Float64())
		st.Matching = humanize.Say("{} of {} match", p.Records, p.All)
		if !p.Complete {
			st.Matching += " so far"
		}
	}
	var shown float64
	for i := range p.Rows {
		shown += p.Rows[i].Share
	}
	if len(p.Rows) > 0 {
		st.Held = "shown hold " + humanize.Percent(shown, 1)
	}
	return st
}
