// Package instrweb is the pages and the API of instrumentation profiles: functions,
// coverage, value sites, order, comparisons.
package instrweb

import (
	"context"
	"net/http"
	"strings"

	"proflens/analyze"
	"proflens/catalog"
	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/figure"
	"proflens/profile/instrdb"
	"proflens/profile/stored"
	"proflens/views/page"
)

// handler answers for its profiles.
type handler struct {
	*site.Site
	ahead chan struct{} // holds a token while a search is foreseen
}

// Family is how instrumentation profiles answer. At the addresses that say
// how much there is of something, they answer for profiles of other families
// too.
func Family(of *site.Site) *site.Family {
	s := &handler{of, make(chan struct{}, 1)}
	h := func(answer site.Handler) site.Handler { return site.With(s.Site, instrdb.Of, answer) }
	part := site.At(of, instrdb.OfAny)
	at := func(path string, answer site.Handler) site.Route {
		r := part(path, answer)
		r.Always = true
		return r
	}
	functions := lists.Table(of, instrdb.OfAny, functionKeys, ParseFunctions, openFunctions)
	values := values.Export(of)
	vtables, vtablesPage := s.vtables().Export(of), s.vtables().Serve(of)
	bitmaps, bitmapsPage := bitmaps.Export(of), bitmaps.Serve(of)
	order := lists.Table(of, instrdb.OfAny, orderList().Keys(), lists.ByList(orderList()), openOrder)
	coverage := lists.Table(of, instrdb.OfAny, coverageKeys, parseCoverage, openCoverage)
	t := map[string]site.TableExport{
		"functions": functions, "vtables": vtables, "bitmaps": bitmaps, "order": order,
		"values": lists.Fixed(values, "kind", "indirect"), "values-memop": lists.Fixed(values, "kind", "memop"),
		"values-vtable": lists.Fixed(values, "kind", "vtable"),
		"coverage":      lists.Fixed(coverage, "by", "path"), "coverage-namespace": lists.Fixed(coverage, "by", "namespace"),
	}
	return &site.Family{
		Name: instrprof.Family, Indexed: true, CannotMerge: cannotMerge,
		Accepts: []page.Accepted{
			{".profraw", "LLVM raw: counters, versions 1 to 11; MemProf heaps, 1 to 5"},
			{".profdata", "LLVM indexed, versions 1 to 14, with or without a heap profile"},
			{".proftext", "LLVM text"},
			{".memprofraw .yaml .txt", "MemProf raw, YAML, report"},
		},
		Pages: []site.Route{
			{Path: "/", Answer: h(s.Overview(s.overview))},
			at("/functions", s.functionsPage), at("/functions/", s.functionsPage),
			at("/functions/{fid}", s.functionPage), at("/tree", s.treePage),
			at("/values", s.valuesPage), at("/vtables", vtablesPage), at("/vtables/{fid}", s.vtablePage),
			at("/bitmaps", bitmapsPage), at("/order", s.orderPage),
		},
		API: s.calls(at, t, values), Params: params + objectsSay, Objects: objects,
		Search: site.SearchFunctions, Tabs: instrTabs, Figures: instrdb.Figures, Change: s.change,
		Whole: figure.Of(site.In(instrdb.Of, whole)),
		Links: instrLinks,
		Text:  instrText, Commands: instrCommands,
		Receipt: instrReceipt,
		Counted: map[string]string{
			analyze.CodeSeveralHashes: "/functions?quality=" + string(instrdb.QualityHashes),
			analyze.CodeSaturated:     "/functions?quality=" + string(instrdb.QualitySaturated),
			analyze.CodePseudoCounts:  "/functions?quality=" + string(instrdb.QualityPseudo), "raw.no_timestamps": "/functions",
			analyze.CodeNeverRan: "/functions?class=never", analyze.CodeNothingRan: "/functions?executed=false",
			// above 2^56
			"raw.unnamed_function":        "/functions?quality=" + string(instrdb.QualityNoName),
			"raw.counter_value_too_large": "/functions?max=72057594037927937..",
		},
		Measures: "Counts", FindFunction: findFunction,
		AtLine:   site.AtLineOf("Declared here", instrdb.Of, (*instrdb.Profile).DeclaredAt, s.declaredHere),
		Lines:    site.Asked(instrdb.Of, (*instrdb.Profile).Lines),
		Chart:    site.In(instrdb.Of, s.cardChart),
		Shape:    "counters by magnitude",
		Tables:   t,
		Comparer: s.comparer(),
	}
}

func instrTabs(t *site.Tabs) {
	t.AddFunctions()
	t.Add(site.TreeView, "/tree", "")
	records, err := site.OpenPart(t.Profile, instrdb.Of)
	if err != nil {
		return
	}
	o := records.Overview
	if n := o.Sites[0] + o.Sites[1] + o.Sites[2]; n > 0 {
		t.Add(site.ValuesView, "/values", humanize.Int(n))
	}
	if o.HasVTables() {
		t.Add(site.VTablesView, "/vtables", "")
	}
	if o.BitmapBytes > 0 {
		t.Add(site.BitmapsView, "/bitmaps", "")
	}
	if o.Traces > 0 {
		t.Add(site.OrderView, "/order", humanize.Plural(o.Traces, "trace"))
	}
}

func instrText(ctx context.Context, t *site.ProfileWriter, p *stored.Profile) error {
	records, err := instrdb.Of(p)
	if err != nil {
		return err
	}
	hottest, err := records.Functions(ctx, instrdb.Query{Limit: site.TextHottest})
	if err != nil {
		return err
	}
	textHottestFunctions(t, hottest.Rows)
	return nil
}

func instrCommands(_ context.Context, p *stored.Profile) ([]site.Command, error) {
	records, err := instrdb.Of(p)
	if err != nil {
		return nil, err
	}
	if records.Overview.Functions == 0 {
		return nil, nil
	}
	list := []site.Command{
		"all functions: /functions?format=text",
		"those with a name: /functions?format=text&q=NAME",
		"coverage by file: /coverage?format=text",
	}
	if o := records.Overview; o.Sites != (analyze.ValueSites{}) {
		list = append(list, site.Command("value sites: /values?format=text&kind="+valueKindWords[firstKind(o)]))
	}
	return append(list,
		"text profile: -OJ /export/proftext",
		"indexed profile: -OJ /export/profdata"), nil
}

func (s *handler) records(r *http.Request) *instrdb.Profile { return site.PartOf[*instrdb.Profile](r) }

// instrReceipt is what can be asked of counters that have just arrived: of none, nothing.
// How many there are is known once they are stored.
func instrReceipt(e *catalog.Entry) []site.Command {
	if e.Functions == 0 && e.State == catalog.Ready {
		return nil
	}
	list := []site.Command{"hottest functions: /functions?format=text&limit=20"}
	if e.Functions > 0 {
		list = append(list, "as proftext: /export/proftext")
	}
	return list
}

// instrLinks are of what a profile with counters has.
func instrLinks(e *catalog.Entry) []string {
	if e.Functions == 0 {
		return []string{"functions", "export/profdata"}
	}
	return []string{"functions", "export/proftext", "export/profdata"}
}

func init() {
	site.OrderKeys(strings.Fields(
		"target sum top_count top_share site_share distinct bytes set unset place first traces addresses"))
}

// cannotMerge is why the second of two cannot be merged with the first.
func cannotMerge(a, b *stored.Profile) error {
	first, err := instrdb.Of(a)
	if err != nil {
		return err
	}
	second, err := instrdb.Of(b)
	if err != nil {
		return err
	}
	return sums.CannotMerge(&first.Overview.Info, &second.Overview.Info)
}
