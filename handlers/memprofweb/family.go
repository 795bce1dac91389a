// Package memprofweb is the pages and the API of heap profiles: allocation contexts
// and sites, flame graphs, lifetimes.
package memprofweb

import (
	"net/http"
	"net/url"
	"strings"

	"proflens/catalog"
	"proflens/decode/memprof"
	"proflens/handlers/flameweb"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/figure"
	"proflens/profile/memprofdb"
	"proflens/profile/stored"
	"proflens/views/page"
)

// handler answers for its profiles.
type handler struct{ *site.Site }

// Family is how heap profiles answer.
func Family(of *site.Site) *site.Family {
	s := &handler{of}
	at := site.At(s.Site, memprofdb.Of)
	parseContexts := func(q url.Values) (allocationParams, error) { return parseAllocations(q, s.own()) }
	parseSites := func(q url.Values) (siteParams, error) { return parseSites(q, s.own()) }
	allocations := lists.Table(of, memprofdb.Of, allocationKeys, parseContexts, openAllocations)
	sites := lists.Table(of, memprofdb.Of, siteKeys, parseSites, openSites)
	calls := s.calls().Export(of)
	cloning, pruned := s.cloning().Export(of), s.pruned().Export(of)
	modules := s.modules().Export(of)
	callSites, data := s.recordedCalls().Export(of), s.data().Export(of)
	t := map[string]site.TableExport{
		"allocations": allocations, "calls": calls, "cloning": cloning, "pruned-contexts": pruned, "modules": modules,
		"call-sites": callSites, "data-access": data,
		"sites":       lists.Fixed(sites, "by", string(memprofdb.SitesByFunction)),
		"sites-line":  lists.Fixed(sites, "by", string(memprofdb.SitesByLine)),
		"sites-file":  lists.Fixed(sites, "by", string(memprofdb.SitesByFile)),
		"sites-blame": lists.Fixed(sites, "by", string(memprofdb.SitesByBlame)),
	}
	return &site.Family{
		Name: memprof.Family, Indexed: true, CannotMerge: cannotMerge, Kind: "MemProf",
		Pages: []site.Route{
			at("/", s.Overview(s.overview)), at("/flame", s.toKept(s.flamePage)), at("/sites", s.toKept(s.sitesPage)),
			at("/sites/{context}", s.contextPage),
			at("/lifetimes", s.lifetimesPage), at("/cloning", s.cloningPage), at("/cloning/{site}", s.prunedPage),
			at("/callsites", s.toKept(s.callsPage)), at("/data", s.data().Serve(of)), at("/modules", s.modules().Serve(of)),
		},
		API: s.api(at, t, sites), Params: params + objectsSay + flameweb.ObjectsSay, Objects: objects,
		Search: func(base string) *page.Search {
			return &page.Search{
				Action: base + "/sites", Label: "Find a frame or a file", Suggest: site.SuggestAt(base),
				Keep: []page.Hidden{{Name: "by", Value: "context"}},
			}
		},
		Tabs: memprofTabs, Figures: memprofdb.Figures, Change: change, Whole: figure.Of(site.In(memprofdb.Of, whole)),
		Links: func(*catalog.Entry) []string {
			return strings.Fields("allocations sites flamegraph export/pprof export/folded")
		},
		Text: s.text, Commands: site.In(memprofdb.Of, commands),
		Receipt: func(*catalog.Entry) []site.Command {
			return []site.Command{
				"largest contexts: /allocations?format=text&limit=20",
				"for go tool pprof: -OJ /export/pprof",
			}
		},
		Comparer: s.comparer(),
		Measures: "Heap", FindFunction: findFunction,
		AtLine:     site.AtLineOf("Bytes through", memprofdb.Of, (*memprofdb.Profile).AtLine, s.throughHere),
		Lines:      site.Asked(memprofdb.Of, (*memprofdb.Profile).Lines),
		OnOverview: s.besideCounters, OnFunction: s.besideFunction,
		Chart: site.In(memprofdb.Of, s.cardChart),
		Shape: "allocation contexts by bytes",
		Counted: map[string]string{
			// all of them
			"memprof.truncated_stacks": "/sites?by=context&truncated=true", "memprof.unsymbolized": "/sites?by=context",
		},
		Tables: t,
	}
}

// memprofTabs are the tabs of a heap profile.
func memprofTabs(t *site.Tabs) {
	heap, err := site.OpenPart(t.Profile, memprofdb.Of)
	if err != nil {
		return
	}
	o := heap.Overview
	t.Add(site.SitesView, "/sites?by=blame", humanize.Int(o.Sites))
	t.Add(site.FlameView, "/flame?lib=fold&rec=collapse", "")
	if hasDensity(o) && hasLifetime(o) {
		t.Add(site.LifetimesView, "/lifetimes", "")
		t.Add(site.CloningView, "/cloning", "")
	}
	if o.Stacks > 0 {
		t.Add(site.CallSitesView, "/callsites", "")
	}
	if o.DataAccess {
		t.Add(site.DataView, "/data", "")
	}
}

func (s *handler) heap(r *http.Request) *memprofdb.Profile { return site.PartOf[*memprofdb.Profile](r) }

// cannotMerge is why the second of two cannot be merged with the first.
func cannotMerge(a, b *stored.Profile) error {
	first, err := memprofdb.Of(a)
	if err != nil {
		return err
	}
	second, err := memprofdb.Of(b)
	if err == nil && first.Overview.Symbolized != second.Overview.Symbolized {
		return memprof.ErrAddresses
	}
	return err
}
