// Package sampleweb is the pages and the API of sample profiles: functions, what is inlined
// into them, calls, what of it is lost on a program.
package sampleweb

import (
	"net/http"

	"proflens/decode/sampleprof"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/figure"
	"proflens/profile/sampledb"
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
			at("/", s.Overview(s.overview)), at("/functions", s.functions(site.FunctionsView).Serve(s.Site)),
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
		Lines:    site.Asked(sampledb.Of, (*sampledb.Profile).Lines),
		AtLine:   site.AtLineOf("Samples of", sampledb.Of, (*sampledb.Profile).AtLine, s.sampledHere),
		Chart:    site.In(sampledb.Of, s.cardChart),
		Counted:  counted,
		Comparer: s.comparer(),
	}
}

// sampleTabs are the tabs of sample profiles.
func sampleTabs(t *site.Tabs) {
	t.AddFunctions()
	t.Add(site.FlameView, "/flame", "")
	t.Add(site.CallsView, "/calls", "")
	m, err := site.OpenPart(t.Profile, sampledb.Of)
	if err != nil {
		return
	}
	if o := m.Overview; o.Program.CanTell() {
		lost := o.Program.Fits[sampleprof.FitStale].Functions + o.Program.Fits[sampleprof.FitGone].Functions
		t.Add(site.StaleView, "/stale", humanize.Int(lost))
	}
	if n, _ := m.Overview.Listed(); n >= 0 {
		t.Add(site.SymbolsView, "/symbols", humanize.Int(n))
	}
}

func (s *handler) samples(r *http.Request) *sampledb.Profile {
	return site.PartOf[*sampledb.Profile](r)
}
