package handlers

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"proflens/catalog"
	"proflens/decode/memprof"
	"proflens/profiledb/memprofdb"
	"proflens/profiledb/stored"
	"proflens/tables"
	"proflens/views/page"
)

// memprofRoom is what answers for its profiles.
type memprofRoom struct{ *Site }

// memprofFamily is how heap profiles answer.
func memprofFamily(of *Site) *family {
	s := &memprofRoom{of}
	at := func(path string, answer handler) route {
		return route{path: path, answer: with(s.Site, memprofdb.Of, answer)}
	}
	return &family{
		name: memprof.Family, kind: "MemProf",
		pages: []route{
			at("/", s.heapOverviewPage), at("/flame", s.flamePage), at("/sites", s.heapSitesPage), at("/sites/{context}", s.heapContextPage),
			at("/lifetimes", s.lifetimesPage), at("/callsites", s.callSitesPage), at("/data", s.dataPage),
		},
		api: []route{
			at("/allocations", s.listAllocations), at("/allocations/{context}", s.getContext), at("/sites", s.listSites), at("/flamegraph", s.getFlameGraph),
			at("/modules", s.plainTable("-modules", tables.Modules)), at("/call-sites", s.plainTable("-call-sites", tables.CallSites)),
			at("/data-access", s.plainTable("-data-access", tables.DataAccess)),
		},
		search: func(base string) *page.Search {
			return &page.Search{Action: base + "/sites", Label: "Find a frame or a file", Keep: []page.Hidden{{Name: "by", Value: "context"}}}
		},
		tabs: memprofTabs, object: memprofObjectOf, links: []string{"allocations", "sites", "flamegraph", "export/pprof", "export/folded"},
		text: memprofText, commands: heapCommands,
		onOverview: s.besideCounters, onFunction: s.functionHeap,
		figures: func(e *catalog.Entry) (functions, total page.Number) {
			functions = page.Number{Text: page.Plural(e.Functions, "function", "functions")}
			functions.Exact = functions.Text + " that allocate"
			return functions, page.BigBytes(e.Total)
		},
		shape: "allocation contexts by bytes",
		tables: map[string]tableExport{"allocations": {allocationKeys, func(r *http.Request, q url.Values) (listing, opener, error) {
			p, err := parseAllocations(q)
			return p.listing, func(ctx context.Context, o tables.Options, _ bool) (tables.Table, error) {
				heap, err := memprofdb.Of(s.profile(r))
				if err != nil {
					return nil, err
				}
				return tables.Allocations(ctx, heap, p.Query, o)
			}, err
		}}},
	}
}

// memprofTabs are the tabs of a heap profile.
func memprofTabs(_ *catalog.Entry, p *stored.Profile, base string, current view) []page.Tab {
	heap, err := openPart(p, memprofdb.Of)
	if err != nil {
		return nil
	}
	o := heap.Overview
	tabs := []page.Tab{counted(tab(sitesView, base+"/sites", current), page.Int(o.Sites)), tab(flameView, base+"/flame", current)}
	if hasDensity(o) && hasLifetime(o) {
		tabs = append(tabs, tab(lifetimesView, base+"/lifetimes", current))
	}
	if o.CallSites > 0 {
		tabs = append(tabs, counted(tab(callSitesView, base+"/callsites", current), page.Int(o.CallSites)))
	}
	if o.DataAccess {
		tabs = append(tabs, tab(dataView, base+"/data", current))
	}
	return tabs
}

func memprofText(ctx context.Context, t *profileWriter, p *stored.Profile) error {
	heap, err := memprofdb.Of(p)
	if err != nil {
		return err
	}
	sites, err := heap.Sites(ctx, memprofdb.SiteQuery{Limit: textHottest})
	if err != nil {
		return err
	}
	modules, err := heap.Modules(ctx)
	if err != nil {
		return err
	}
	heapFigures(t, heap.Overview)
	heapSites(t, sites, modules)
	t.wanted = slices.ContainsFunc(modules, func(m memprofdb.Module) bool { return m.Wanted() })
	return nil
}

func (s *memprofRoom) heap(r *http.Request) *memprofdb.Profile { return partOf[*memprofdb.Profile](r) }
