package handlers

import (
	"context"
	"net/http"
	"net/url"

	"proflens/catalog"
	"proflens/decode/instrprof"
	"proflens/profiledb/instrdb"
	"proflens/profiledb/stored"
	"proflens/tables"
	"proflens/views/page"
)

// instrRoom is what answers for its profiles.
type instrRoom struct{ *Site }

// instrFamily is how instrumentation profiles answer. At the addresses that say
// how much there is of something, they answer for profiles of other families
// too.
func instrFamily(of *Site) *family {
	s := &instrRoom{of}
	h := func(answer handler) handler { return with(s.Site, instrdb.Of, answer) }
	any := func(path string, answer handler) route { return route{path, with(s.Site, instrdb.OfAny, answer), true} }
	return &family{
		name: instrprof.Family,
		pages: []route{
			{path: "/", answer: h(s.overviewPage)}, any("/functions", s.functionsPage), any("/functions/", s.functionsPage), any("/functions/{fid}", s.functionPage), any("/tree", s.treePage),
			any("/values", s.valuesPage), any("/bitmaps", s.bitmapsPage), any("/order", s.orderPage),
		},
		api: []route{
			any("/functions", s.listFunctions), any("/functions/", s.listFunctions), any("/functions/{fid}", s.getFunction), any("/tree", s.getTree), any("/coverage", s.getCoverage),
			any("/values", s.listValues), any("/bitmaps", s.listBitmaps), any("/traces", s.listTraces),
		},
		search: searchFunctions, tabs: instrTabs, object: instrObject, links: []string{"functions", "export/proftext", "export/profdata"},
		text: instrText, commands: instrCommands,
		figures: func(e *catalog.Entry) (functions, total page.Number) {
			return page.Number{Text: page.Plural(e.Functions, "function", "functions")}, totalOf(e, "counts")
		},
		shape: "counters by magnitude",
		tables: map[string]tableExport{"functions": {functionKeys, func(r *http.Request, q url.Values) (listing, opener, error) {
			p, err := parseFunctions(q)
			return p.listing, func(ctx context.Context, o tables.Options, whole bool) (tables.Table, error) {
				records, err := instrdb.Of(s.profile(r))
				if err != nil {
					return nil, err
				}
				return tables.Functions(ctx, records, p.Query, o, whole)
			}, err
		}}},
		sitePages: []route{{path: "/compare", answer: s.choosePage}, {path: "/compare/{pair}", answer: s.comparePage}, {path: "/compare/{pair}/tree", answer: s.compareTreePage}},
		siteAPI:   []route{{path: "/compare", answer: s.getCompare}, {path: "/compare/tree", answer: s.getCompareTree}},
		compared:  true,
	}
}

func instrTabs(e *catalog.Entry, p *stored.Profile, base string, current view) []page.Tab {
	tabs := functionTabs(e, base, current)
	records, err := openPart(p, instrdb.Of)
	if err != nil {
		return tabs
	}
	o := records.Overview
	if n := o.Sites[0] + o.Sites[1] + o.Sites[2]; n > 0 {
		tabs = append(tabs, counted(tab(valuesView, base+"/values", current), page.Int(n)))
	}
	if o.BitmapBytes > 0 {
		tabs = append(tabs, tab(bitmapsView, base+"/bitmaps", current))
	}
	if o.Traces > 0 {
		tabs = append(tabs, counted(tab(orderView, base+"/order", current), page.Plural(o.Traces, "trace", "traces")))
	}
	return tabs
}

func instrText(ctx context.Context, t *profileWriter, p *stored.Profile) error {
	records, err := instrdb.Of(p)
	if err != nil {
		return err
	}
	hottest, err := records.Functions(ctx, instrdb.Query{Limit: textHottest})
	if err != nil {
		return err
	}
	textFigures(t, records.Overview)
	textHottestFunctions(t, hottest.Rows)
	return nil
}

func instrCommands(t *profileWriter, next func(does, call string)) {
	next("all functions", quoted(t.api, "/functions?format=text"))
	next("those with a name", quoted(t.api, "/functions?format=text&q=NAME"))
	next("coverage by file", quoted(t.api, "/coverage?format=text"))
	next("value sites", quoted(t.api, "/values?format=text"))
	next("text profile", "-OJ "+quoted(t.api, "/export/proftext"))
	next("indexed profile", "-OJ "+quoted(t.api, "/export/profdata"))
}

func (s *instrRoom) records(r *http.Request) *instrdb.Profile { return partOf[*instrdb.Profile](r) }
