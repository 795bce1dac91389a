// Package sampleweb is the pages and the API of sample profiles: functions, what is inlined
// into them, calls, what of it is lost on a program.
package sampleweb

import (
	"context"
	"net/http"

	"proflens/catalog"
	"proflens/decode/sampleprof"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/figure"
	"proflens/profile/sampledb"
	"proflens/profile/stored"
	"proflens/views/page"
)

// handler answers for its profiles.
type handler struct{ *site.Site }

// Family is how sample profiles answer.
func Family(of *site.Site) *site.Family {
	s := &handler{of}
	at := site.At(s.Site, sampledb.Of)
	t := s.tables()
	return &site.Family{
		Name: sampleprof.Family, Kind: "Sample",
		Accepts:   []page.Accepted{{".afdo .afdotext", "sample profiles of AutoFDO and CSSPGO, any form"}},
		NoIndexed: "Sample profiles have forms of their own; llvm-profdata turns none of them into .profdata.",
		Pages: []site.Route{
			at("/", s.overviewPage), at("/functions", s.functions(site.FunctionsView).Serve(s.Site)),
			at("/functions/", s.functions(site.FunctionsView).Serve(s.Site)), at("/functions/{fid}", s.functionPage),
			at("/flame", s.flamePage), at("/stale", s.functions(site.StaleView).Serve(s.Site)),
			at("/calls", s.edges().Serve(s.Site)), at("/symbols", symbols.Serve(s.Site)),
		},
		API: s.calls(at, t), Params: params + objectsSay, Objects: objects, Tables: t,
		Search: site.SearchFunctions, Tabs: sampleTabs, Figures: sampledb.Figures, Change: change,
		Whole: figure.Of(site.In(sampledb.Of, whole)),
		Links: sampleLinks,
		Text:  sampleText, Commands: site.In(sampledb.Of, sampleCommands), Receipt: receipt,
		Shape:    "places by samples",
		Measures: "Samples", FindFunction: findFunction,
		Lines: site.LinesOf(sampledb.Of, (*sampledb.Profile).Lines), AtLine: s.atLine,
		Chart:    site.In(sampledb.Of, s.cardChart),
		Counted:  counted,
		Comparer: s.comparer(),
	}
}

// sampleTabs are the tabs of sample profiles.
func sampleTabs(_ context.Context, e *catalog.Entry, p *stored.Profile, base string, current site.View) []page.Tab {
	functions := site.Tab(site.FunctionsView, base+"/functions", current)
	if e.State == catalog.Ready {
		functions = site.Counted(functions, humanize.Int(e.Functions))
	}
	tabs := []page.Tab{
		functions, site.Tab(site.FlameView, base+"/flame", current), site.Tab(site.CallsView, base+"/calls", current),
	}
	m, err := site.OpenPart(p, sampledb.Of)
	if err != nil {
		return tabs
	}
	if o := m.Overview; o.Program.CanTell() {
		lost := o.Program.Fits[sampleprof.FitStale].Functions + o.Program.Fits[sampleprof.FitGone].Functions
		tabs = append(tabs, site.Counted(site.Tab(site.StaleView, base+"/stale", current), humanize.Int(lost)))
	}
	if n, _ := m.Overview.Listed(); n >= 0 {
		tabs = append(tabs, site.Counted(site.Tab(site.SymbolsView, base+"/symbols", current), humanize.Int(n)))
	}
	return tabs
}

func (s *handler) samples(r *http.Request) *sampledb.Profile {
	return site.PartOf[*sampledb.Profile](r)
}
