// Package mipweb is the pages and the API of Machine IR Profiles: functions, what
// never ran, calls, runs, start-up order.
package mipweb

import (
	"context"
	"net/http"
	"net/url"

	"proflens/catalog"
	"proflens/decode/mip"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/mipdb"
	"proflens/views/page"
)

// handler answers for its profiles.
type handler struct{ *site.Site }

// Family is how Machine IR Profiles answer.
func Family(of *site.Site) *site.Family {
	s := &handler{of}
	at := site.At(s.Site, mipdb.Of)
	functions, order, runs := s.functions(allTable).Export(of), s.order().Export(of), runFiles.Export(of)
	coverage := lists.Table(of, mipdb.Of, lists.CoverageKeys, parseCoverage, openCoverage)
	tree := lists.Table(of, mipdb.Of, lists.TreeKeys,
		func(q url.Values) (lists.TreeParams, error) { return treeNodes.Parse(q, lists.TreeKeys) }, openTree)
	t := map[string]site.TableExport{
		"functions": functions, "dead": lists.Fixed(functions, "executed", "false"), "order": order, "runs": runs,
		"coverage": lists.Fixed(coverage, "by", "path"), "coverage-namespace": lists.Fixed(coverage, "by", "namespace"),
	}
	return &site.Family{
		Name: mip.Family, NoIndexed: "Only instrumentation and heap profiles can be converted to .profdata.", Kind: "MIP",
		Accepts: []page.Accepted{{".mip .mipmap .mipraw", "Machine IR Profiles, maps and runs"}},
		Pages: []site.Route{
			at("/", s.Overview(s.overview)),
			at("/functions", s.functionsPage(allTable)), at("/functions/", s.functionsPage(allTable)),
			at("/functions/{fid}", s.functionPage), at("/tree", s.treePage),
			at("/order", s.order().Serve(of)), at("/dead", s.functionsPage(deadTable)),
			at("/calls", s.functionsPage(callsTable)), at("/runs", s.runsPage),
		},
		API: s.calls(at, t, tree, coverage), Params: params + objectsSay, Objects: objects,
		Search: site.SearchFunctions, Tabs: mipTabs, Figures: mipdb.Figures, Links: mipLinks,
		Commands: site.In(mipdb.Of, mipCommands),
		Receipt: func(*catalog.Entry) []site.Command {
			return []site.Command{
				"largest functions: /functions?format=text&limit=20", "as JSON: /export/mip-json",
			}
		},
		Comparer: s.comparer(),
		Measures: "Machine IR", FindFunction: findFunction,
		Chart: site.In(mipdb.Of, cardChart),
		Counted: map[string]string{
			"mip." + string(mip.UnnamedFunctions): "/functions?quality=no-name",
			"mip." + string(mip.BlocksDiffer):     "/functions?quality=blocks-differ",
		},
		Shape:  "counters by magnitude",
		Tables: t,
	}
}

// runFiles is the table of raw files; their page draws them as columns.
var runFiles = &lists.Declared{
	Declaration: mipdb.RawFiles, API: "/runs", Find: lists.Plain(mipdb.Of, (*mipdb.Profile).FindRuns),
}

// mipTabs are the tabs of Machine IR Profiles.
func mipTabs(t *site.Tabs) {
	t.AddFunctions()
	t.Add(site.TreeView, "/tree", "")
	m, err := site.OpenPart(t.Profile, mipdb.Of)
	if err != nil {
		return
	}
	o := m.Overview
	t.Add(site.DeadView, "/dead", humanize.Int(o.Functions-o.Executed))
	if o.HasCalls() {
		t.Add(site.CallsView, "/calls", "")
	}
	if o.HasTimestamps() {
		t.Add(site.OrderView, "/order", "")
	}
	if o.Runs > 0 {
		t.Add(site.RunsView, "/runs", humanize.Int(o.Runs))
	}
}

func mipCommands(ctx context.Context, m *mipdb.Profile) ([]site.Command, error) {
	list := []site.Command{
		"all functions: /functions?format=text",
		"what never ran: /functions?format=text&executed=false",
		"coverage by namespace: /coverage?format=text",
	}
	if m.Overview.HasTimestamps() && m.Overview.Executed > 0 {
		list = append(list, "order file: -OJ /export/order")
	}
	if m.Overview.Functions > 0 {
		list = append(list, "merged profile: -OJ /export/mip")
	}
	return list, nil
}

func (s *handler) machine(r *http.Request) *mipdb.Profile { return site.PartOf[*mipdb.Profile](r) }

// mipLinks are of what a Machine IR Profile has: without its map, raw files have no
// functions and make no .mip.
func mipLinks(e *catalog.Entry) []string {
	links := []string{"functions", "export/mip-json"}
	if e.Functions > 0 {
		links = append(links, "export/mip")
	}
	return links
}
