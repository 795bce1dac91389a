package memprofweb

import (
	"context"
	"net/http"
	"strconv"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/profiledb/memprofdb"
	"proflens/profiledb/query"
	"proflens/say"
	"proflens/tables"
	"proflens/views/chart"
	"proflens/views/memprofview"
	"proflens/views/page"
)

// callSiteList is the list of calls as an indexed profile has them.
var callSiteList = lists.List{
	Heads: []site.Column{
		{
			Key: "place", Label: "#", Title: "position in the file, from 0", Number: true, Sort: memprofdb.ColIndex,
			Ascending: true,
		},
		{Key: "function", Label: "Function", Sort: memprofdb.ColFunction, Ascending: true},
		{
			Key: "frames", Label: "Call", Title: "call and inlined frames, innermost first; sorted by their number",
			Sort: memprofdb.ColDepth,
		},
		{Key: "callees", Label: "Callees", Title: "sorted by their number", Sort: memprofdb.ColCallees},
	},
	Sorts: memprofdb.CallSiteColumns, Ranges: []query.Column{memprofdb.ColDepth, memprofdb.ColCallees},
	Usual: query.Key{Column: memprofdb.ColIndex},
	Noun:  [2]string{"call site", "call sites"}, Words: "function, callee or file",
	Least: page.RangeField{Name: string(memprofdb.ColCallees), Label: "Callees"},
}

// dataList is the list of static data.
var dataList = lists.List{
	Heads: []site.Column{
		{Key: "symbol", Label: "Data", Sort: memprofdb.ColSymbol, Ascending: true},
		{Key: "kind", Label: "Kind", Sort: memprofdb.ColKind, Ascending: true},
		{Key: "class", Label: "Class", Sort: memprofdb.ColClass, Ascending: true},
		{Key: "accesses", Label: "Accesses", Number: true, Sort: memprofdb.ColAccessCount},
		{Key: "share", Label: "Share", Title: "of all recorded accesses"},
		{Key: "declared", Label: "Declared at", Title: "sorted by the number of places", Sort: memprofdb.ColLocations},
	},
	Sorts: memprofdb.DataColumns, Ranges: []query.Column{memprofdb.ColAccessCount},
	Usual: query.Key{Column: memprofdb.ColAccessCount, Desc: true},
	Noun:  [2]string{"symbol or literal", "symbols and literals"}, Words: "symbol or file",
	Least: page.RangeField{Name: string(memprofdb.ColAccessCount), Label: "Accesses"},
}

// moduleList is the list of modules.
var moduleList = lists.List{
	Heads: []site.Column{
		{Key: "module", Label: "Module", Sort: memprofdb.ColName, Ascending: true},
		{Key: "build_id", Label: "Build ID", Sort: memprofdb.ColBuildID, Ascending: true},
		{Key: "state", Label: "Executable"},
		{Key: "frames", Label: "Frames", Title: "unnamed addresses in it", Number: true, Sort: memprofdb.ColFrames},
		{Key: "contexts", Label: "Contexts", Title: "with such frames", Number: true, Sort: memprofdb.ColContexts},
		{Key: "range", Label: "Addresses", Title: "where it was mapped", Sort: memprofdb.ColStart, Ascending: true},
	},
	Sorts: memprofdb.ModuleColumns, Ranges: []query.Column{memprofdb.ColFrames, memprofdb.ColContexts},
	Usual: query.Key{Column: memprofdb.ColIndex},
	Noun:  [2]string{"module", "modules"}, Words: "path or build ID",
	Least: page.RangeField{Name: string(memprofdb.ColFrames), Label: "Frames"},
}

// The tables of these lists.
func openCallSites(_ context.Context, p *memprofdb.Profile, q lists.Params, o tables.Options, _ bool) (tables.Table,
	error) {
	return tables.CallSites(p, q.Query, o), nil
}

func openData(_ context.Context, p *memprofdb.Profile, q lists.Params, o tables.Options, _ bool) (tables.Table, error) {
	return tables.DataAccess(p, q.Query, o), nil
}

func openModules(_ context.Context, p *memprofdb.Profile, q lists.Params, o tables.Options, _ bool) (tables.Table,
	error) {
	return tables.Modules(p, q.Query, o), nil
}

// callSitesPage is GET /p/{id}/callsites: calls on the way to allocations, as
// an indexed profile has them.
func (s *room) callSitesPage(w http.ResponseWriter, r *http.Request) error {
	return s.recordsPage(w, r, &callSiteList, "/call-sites", site.CallSitesView, "",
		func(ctx context.Context, v *recordsRequest) (memprofview.Records, error) {
			m := memprofview.Records{
				Title: "Call sites",
				Note: "Calls that lead to an allocation, grouped by caller. Where the contexts of a site differ in class, the " +
					"compiler redirects these calls to clones. Callees are known for indirect calls only.",
			}
			sites, err := v.heap.CallSites(ctx, v.Query)
			if err != nil {
				return m, err
			}
			n, err := s.heapNames(ctx, v.heap, site.Symbols{Cache: s.Names, Mode: v.Names})
			if err != nil {
				return m, err
			}
			if m.List = v.frame(len(sites.Rows), sites.Matching, sites.All); sites.All == 0 {
				m.List = v.none(page.Blank{
					Title: "No call sites", Text: "Only indexed profiles have them: llvm-profdata adds them when it indexes a raw " +
						"profile with its executable.",
				})
			}
			m.Says = say.Plural(sites.All, "call site", "call sites") + "."
			link := func(f *memprofdb.Function) memprofview.NameLink {
				if f == nil {
					return memprofview.NameLink{Name: say.Name{Base: "not known", Missing: true}}
				}
				return memprofview.NameLink{Name: n.function(f), URL: v.base + "/sites?function=" + site.FID(f.FID)}
			}
			for i := range sites.Rows {
				site := &sites.Rows[i]
				row := memprofview.CallSiteRow{Place: say.Int(site.Index), Owner: link(site.Function)}
				for j := range site.Stack {
					f := &site.Stack[j]
					name := n.function(f.Function)
					row.Frames = append(row.Frames, memprofview.Frame{
						Name: say.Name{Base: name.Whole(), Full: name.Full}, Place: place(f), PlaceURL: n.lineURL(f.File, f.Line),
						Inline: f.Inline,
					})
				}
				for _, c := range site.Callees {
					l := link(c)
					l.Name = say.Name{Base: l.Name.Whole(), Full: l.Name.Full}
					row.Callees = append(row.Callees, l)
				}
				m.CallSites = append(m.CallSites, row)
			}
			return m, nil
		}, "by")
}

// dataPage is GET /p/{id}/data: how often static data was touched.
func (s *room) dataPage(w http.ResponseWriter, r *http.Request) error {
	return s.recordsPage(w, r, &dataList, "/data-access", site.DataView, "",
		func(ctx context.Context, v *recordsRequest) (memprofview.Records, error) {
			m := memprofview.Records{
				Title: "Data access",
				Note: "How often static data was accessed. Cold symbols and string literals are known to be untouched. String " +
					"literals are named by the hash of their contents.",
			}
			d, err := v.heap.Data(ctx)
			if err != nil {
				return m, err
			}
			if d == nil {
				m.List = v.none(page.Blank{
					Title: "No data access profile",
					Text:  "Indexed MemProf profiles can have one from version 4 on; this file does not.",
				})
				return m, nil
			}
			data, err := v.heap.FindData(ctx, v.Query)
			if err != nil {
				return m, err
			}
			if m.List = v.frame(len(data.Rows), data.Matching, data.All); data.All == 0 {
				m.List = v.none(page.Blank{Title: "The data access profile is empty"})
			}
			m.Modes = nil // symbols stand as they are
			m.Says = say.Plural(len(d.Records), "symbol or literal", "symbols and literals") + " with accesses, " +
				say.Int(len(d.ColdSymbols)+len(d.ColdHashes)) + " known to be cold."
			var total, largest float64
			for i := range d.Records {
				total += float64(d.Records[i].AccessCount)
				largest = max(largest, float64(d.Records[i].AccessCount))
			}
			for i := range data.Rows {
				rec := &data.Rows[i]
				row := memprofview.DataRow{
					Kind: "symbol", Symbol: say.Printable(rec.Symbol), Cold: rec.Cold, Accesses: say.Count(rec.AccessCount),
				}
				if !rec.Cold {
					share := site.Part(float64(rec.AccessCount), total)
					row.Share, row.Bar = say.Percent(share, 1), chart.ShareBar(share, site.Part(largest, total))
				}
				if rec.IsString {
					row.Kind, row.Symbol = "string literal", say.Hex64(rec.Hash)
				}
				for _, l := range rec.Locations {
					row.Declared = append(row.Declared, say.Printable(l.File)+":"+strconv.FormatUint(uint64(l.Line), 10))
				}
				m.Data = append(m.Data, row)
			}
			return m, nil
		})
}

// modulesPage is GET /p/{id}/modules: what was mapped when the profile was written.
func (s *room) modulesPage(w http.ResponseWriter, r *http.Request) error {
	return s.recordsPage(w, r, &moduleList, "/modules", site.OtherView, "Modules",
		func(ctx context.Context, v *recordsRequest) (memprofview.Records, error) {
			m := memprofview.Records{
				Title: "Modules", Note: "Executable segments mapped when the profile was written. Upload the executables that " +
					"are wanted to give their frames names.",
			}
			modules, err := v.heap.FindModules(ctx, v.Query)
			if err != nil {
				return m, err
			}
			n, err := s.heapNames(ctx, v.heap, site.Symbols{Cache: s.Names, Mode: v.Names})
			if err != nil {
				return m, err
			}
			if m.List = v.frame(len(modules.Rows), modules.Matching, modules.All); modules.All == 0 {
				m.List = v.none(page.Blank{Title: "No modules", Text: "Only raw heap profiles list them."})
			}
			m.List.Modes, m.Says = nil, say.Plural(modules.All, "module", "modules")+"."
			for i := range modules.Rows {
				m.Modules = append(m.Modules, moduleRow(&modules.Rows[i], n))
			}
			return m, nil
		})
}

// recordsRequest is a request for the page of such a list.
type recordsRequest struct {
	lists.Params
	list    *lists.List
	heap    *memprofdb.Profile
	base    string // "/p/{id}"
	address site.Address
	csv     string
}

// frame is what stands around the rows.
func (v *recordsRequest) frame(shown, matching, all int) page.List {
	m := v.list.Frame(v.address, &v.Params, lists.Found{Shown: shown, Matching: matching, All: all})
	m.CSV = v.csv
	return m
}

// none stands around no rows where the profile has none.
func (v *recordsRequest) none(why page.Blank) page.List {
	return page.List{Shown: "no rows", Empty: &why}
}

// recordsPage answers with such a page; table is the list in the API.
func (s *room) recordsPage(w http.ResponseWriter, r *http.Request, l *lists.List, table string, view site.View,
	title string, model func(context.Context, *recordsRequest) (memprofview.Records, error), more ...string) error {
	v := recordsRequest{list: l, heap: s.heap(r), base: site.PageOf(s.Entry(r).ID), address: site.AddressOf(r.URL)}
	var err error
	if v.Params, err = l.Parse(r.URL.Query(), more...); err != nil {
		return err
	}
	api := apiOf(v.address.Without("by"), v.base, table)
	v.csv = api.Without("page", "cursor", "limit", "names").With("format", "csv").String()
	if v.Format != "" {
		http.Redirect(w, r, api.String(), http.StatusSeeOther)
		return nil
	}
	ctx, end, err := s.BeginView(w, r, v.Format)
	if ctx == nil {
		return err
	}
	defer end()
	if s.Profile(r).Storing() {
		site.Unsettled(w)
	}
	m, err := model(ctx, &v)
	if err != nil {
		return err
	}
	return s.Render(w, r, http.StatusOK, memprofview.RecordsPage(s.ProfileShell(r, view, title), m))
}
