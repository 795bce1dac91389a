package instrweb

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"proflens/decode/instrprof"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/names"
	"proflens/profiledb/instrdb"
	"proflens/profiledb/query"
	"proflens/say"
	"proflens/tables"
	"proflens/views/chart"
	"proflens/views/instrview"
	"proflens/views/page"
)

// vtableRanges are the numbers of vtables that a request can filter by.
var vtableRanges = []query.Column{instrdb.VTableCount, instrdb.VTableSites, instrdb.VTableFunctions, instrdb.VTableSize}

// vtableFilters are the parameters that select vtables.
var vtableFilters = slices.Concat([]string{"q", "re", "seen"}, columnWords(vtableRanges))

var vtableKeys = slices.Concat(vtableFilters, []string{"sort"}, site.ListingKeys)

// vtableParams is a request for vtables.
type vtableParams struct {
	site.Listing
	Query instrdb.VTableQuery // with Offset and Limit as in the listing
}

// parseVTables reads a request for vtables, which may have more parameters. Errors are *site.ParamError.
func parseVTables(q url.Values, more ...string) (vtableParams, error) {
	v, err := site.NewValues(q, slices.Concat(vtableKeys, more))
	if err != nil {
		return vtableParams{}, err
	}
	p := vtableParams{Listing: v.Listing()}
	f := &p.Query
	f.Text, f.Regexp, f.Seen = strings.TrimSpace(v.Words("q")), v.Pattern("re"), v.Boolean("seen")
	for _, column := range vtableRanges {
		if text := v.One(string(column)); text != "" {
			low, high := v.Span(string(column), text)
			f.Ranges = append(f.Ranges, query.Range{Column: column, Min: low, Max: high})
		}
	}
	f.Sort = v.Sort("sort", instrdb.VTableColumns)
	f.Offset, f.Limit = p.Offset, p.Limit
	return p, v.Err
}

// openVTables is the classes with a vtable.
func openVTables(_ context.Context, records *instrdb.Profile, p vtableParams, o tables.Options, _ bool) (tables.Table,
	error) {
	return tables.VTables(records, p.Query, o), nil
}

// vtablesPage is GET /p/{id}/vtables.
func (s *room) vtablesPage(w http.ResponseWriter, r *http.Request) error {
	p, err := parseVTables(r.URL.Query(), lists.Selected)
	if err != nil {
		return err
	}
	ctx, end, err := s.BeginView(w, r, p.Format)
	if ctx == nil {
		return err
	}
	defer end()
	rows, err := s.records(r).VTables(ctx, p.Query)
	if err != nil {
		return err
	}
	symbols := site.Symbols{Cache: s.Names, Mode: p.Names}
	model := vtablesModel(site.PageOf(s.Entry(r).ID), site.AddressOf(r.URL), &p, rows, symbols)
	for i := range model.Rows {
		if model.Rows[i].Selected.Selected {
			if err := inspectVTable(ctx, model.Inspector, s.records(r), &rows.Rows[i], &model.Rows[i], symbols); err != nil {
				return err
			}
		}
	}
	return s.Render(w, r, http.StatusOK, instrview.VTablesPage(s.ProfileShell(r, site.VTablesView, ""), model))
}

// vtableHeads are the columns of the page's table.
var vtableHeads = []site.Column{
	{Key: "class", Label: "Class", Title: "that the vtable is of", Sort: instrdb.VTableName, Ascending: true},
	{
		Key: "count", Label: "Calls", Title: "how often value sites recorded the vtable", Number: true,
		Sort: instrdb.VTableCount, How: page.HowVTables,
	},
	{Key: "share", Label: "Share", Title: "of the counts of all vtable sites"},
	{Key: "sites", Label: "Sites", Title: "virtual calls that recorded it", Number: true, Sort: instrdb.VTableSites},
	{
		Key: "functions", Label: "Functions", Title: "function records with these sites", Number: true,
		Sort: instrdb.VTableFunctions,
	},
	{
		Key: "address", Label: "Address range", Title: "in the program's memory; the lowest if there are several",
		Sort: instrdb.VTableAddress, Ascending: true,
	},
	{Key: "size", Label: "Bytes", Title: "size of the vtable", Number: true, Sort: instrdb.VTableSize},
}

func vtablesModel(base string, a site.Address, p *vtableParams, rows *instrdb.VTablePage,
	s site.Symbols) instrview.VTables {
	list := a.Unselected()
	m := instrview.VTables{
		Inspector: a.Inspector("vtable"), Shown: "no rows",
		Filter: page.QuickFilter{Action: a.Path, Q: p.Query.Text, Label: "class",
			Keep: site.Keep(list.Without("q", "page", "cursor"))},
		Heads: site.ColumnHeads(vtableHeads, vtableOrder(p.Query.Sort, a)),
	}
	if rows.All == 0 {
		m.Empty = &page.Blank{
			Title: "No vtables", Text: "clang records them with -fprofile-generate -mllvm -enable-vtable-value-profiling, " +
				"from LLVM 19 on.",
		}
		return m
	}
	m.CSV = list.Without("page", "cursor", "limit").With("format", "csv").String()
	m.Modes = site.ModeSegments(a, p.Names)
	m.Says = vtablesSay(rows)
	if rows.None != nil {
		m.None, m.NoneURL = noneSay(rows), base+"/vtables/"+tables.NoVTable
	}
	for _, one := range []struct{ label, title, value string }{
		{"All", "every vtable", ""}, {"Seen", "vtables recorded by a virtual call", "true"},
		{"Never seen", "vtables recorded by no virtual call", "false"},
	} {
		m.Seen = append(m.Seen, page.Segment{
			Label: one.label, Title: one.title, URL: list.Without("page", "cursor").With("seen", one.value).String(),
			Current: a.Query.Get("seen") == one.value,
		})
	}
	for _, key := range vtableFilters {
		if value := a.Query.Get(key); value != "" && key != "seen" {
			m.Chips = append(m.Chips, page.Chip{
				Text: site.ChipText(key, say.Printable(value)), Remove: list.Without(key, "page", "cursor").String(),
			})
		}
	}
	if rows.Matching == 0 {
		m.Empty = &page.Blank{Title: "None of " + say.Plural(rows.All, "vtable", "vtables") + " matches", Chips: m.Chips}
	}
	scale := 0.0
	for i := range rows.Rows {
		scale = max(scale, rows.Rows[i].Share)
	}
	for i := range rows.Rows {
		v := &rows.Rows[i]
		row := instrview.VTableRow{
			Selected: a.Selected(site.FID(v.NameRef)),
			Class:    vtableName(v, s), URL: base + "/vtables/" + site.FID(v.NameRef),
			Count: say.BigCount(v.Count.String()), Share: say.Percent(v.Share, 2), Bar: chart.ShareBar(v.Share, scale),
			Sites: say.Int(v.Sites), Functions: say.Int(v.Functions),
		}
		if n := len(v.Ranges); n > 0 {
			row.Range, row.Size = addressRange(&v.Ranges[0]), say.Int(v.Ranges[0].Size)
			if n > 1 {
				row.More = say.Int(n-1) + " more"
			}
		}
		m.Rows = append(m.Rows, row)
	}
	if n := len(m.Rows); n > 0 {
		m.Shown = "rows " + say.Int(p.Offset+1) + "–" + say.Int(p.Offset+n) + " of " + say.Int(rows.Matching)
	}
	m.Pager = site.ListPager(list, &p.Listing, rows.Matching)
	return m
}

// inspectedSites is how many sites of a vtable the inspector lists.
const inspectedSites = 12

// inspectVTable shows a class with the sites that recorded its vtable most.
func inspectVTable(ctx context.Context, in *page.Inspector, records *instrdb.Profile, v *instrdb.VTable,
	row *instrview.VTableRow, s site.Symbols) error {
	path, _ := names.Split(v.Name)
	*in = page.Inspector{
		Label: in.Label, Close: in.Close, Name: row.Class, Place: say.Printable(path), URL: row.URL, Open: "Open vtable",
		Facts: []page.Fact{
			{Term: "Calls", Value: row.Count.Text, Note: row.Share}, {Term: "Sites", Value: row.Sites},
			{Term: "Functions", Value: row.Functions},
		},
	}
	if v.NameRef != 0 {
		in.Facts = append(in.Facts, page.Fact{Term: "NameRef", Value: say.Hex64(v.NameRef)})
	}
	if row.Range != "" {
		in.Facts = append(in.Facts, page.Fact{Term: "Address range", Value: row.Range, Note: row.More}, page.Fact{
			Term: "Bytes", Value: row.Size,
		})
	}
	if v.Sites == 0 {
		return nil
	}
	sites, err := records.VTableSites(ctx, v.NameRef, query.RowQuery{Limit: inspectedSites})
	if err != nil {
		return err
	}
	list := page.Lines{Title: "Sites", Note: "most calls first"}
	for i := range sites.Rows {
		r := &sites.Rows[i]
		name := s.Name(r.Name, r.NameRef)
		list.List = append(list.List, page.NoteLine{
			Text: name.Namespace + name.Base, Title: name.Full,
			URL: row.URL[:strings.LastIndex(row.URL, "/vtables/")] + "/functions/" + site.FID(r.NameRef) + "?hash=" +
				say.Hex64(r.FuncHash) + "#vtables",
			Note: "site " + say.Int(r.Index) + ", " + say.Count(r.Count).Text,
		})
	}
	if more := sites.All - len(list.List); more > 0 {
		list.More = say.Plural(more, "more site", "more sites")
	}
	in.Lists = []page.Lines{list}
	return nil
}

// vtableOrder is how the table is sorted: by calls where nothing else is asked for.
func vtableOrder(keys []query.Key, a site.Address) site.Order {
	return site.OrderOf(keys, query.Key{Column: instrdb.VTableCount, Desc: true}, a, "-count")
}

// vtablesSay is what there is in a sentence.
func vtablesSay(p *instrdb.VTablePage) string {
	all := p.All
	if p.None != nil {
		all--
	}
	return "Virtual calls recorded " + say.Int(p.Seen) + " of " + say.Plural(all, "vtable", "vtables") + ", " +
		say.BigCount(p.Total.String()).Text + " times in all."
}

// noneSay says what was seen that is in no vtable.
func noneSay(p *instrdb.VTablePage) string {
	return say.BigCount(p.None.Count.String()).Text + " of these counts are for addresses in no vtable: " +
		say.Plural(p.NoneAt, "address", "addresses") + " at " + say.Plural(p.None.Sites, "site", "sites")
}

// vtableName is the class of a vtable: in full where a mode would leave out what
// it is of.
func vtableName(v *instrdb.VTable, s site.Symbols) say.Name {
	if v.NameRef == 0 {
		return say.Name{Base: "in no vtable", Full: "addresses in no vtable of the profile"}
	}
	if s.Mode == names.Mangled || len(v.Name) == 0 {
		return s.Name(v.Name, v.NameRef)
	}
	_, linkage := names.Split(v.Name)
	class := tables.VTableClass(s.Cache.Demangle(linkage, s.Mode))
	if class == "" {
		return site.Symbols{Cache: s.Cache, Mode: names.Full}.Name(v.Name, v.NameRef)
	}
	parts := names.SplitDemangled(class)
	return say.Name{
		Namespace: say.Printable(parts.Namespace), Base: say.Printable(parts.Base), Args: say.Printable(parts.Args),
		Full: s.Name(v.Name, v.NameRef).Full,
	}
}

// addressRange is the first and the last byte of a vtable.
func addressRange(r *instrprof.VTable) string {
	return say.Hex(r.Address) + "–" + say.Hex(r.Address+max(r.Size, 1)-1)
}
