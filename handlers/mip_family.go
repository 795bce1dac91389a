package handlers

import (
	"context"
	"net/http"
	"net/url"

	"proflens/catalog"
	"proflens/decode/mip"
	"proflens/profiledb/mipdb"
	"proflens/profiledb/stored"
	"proflens/tables"
	"proflens/views/page"
)

// mipRoom is what answers for its profiles.
type mipRoom struct{ *Site }

// mipFamily is how Machine IR Profiles answer.
func mipFamily(of *Site) *family {
	s := &mipRoom{of}
	at := func(path string, answer handler) route {
		return route{path: path, answer: with(s.Site, mipdb.Of, answer)}
	}
	functions := tableExport{mipFunctionKeys, s.exportMIPFunctions(nil)}
	dead := tableExport{mipFunctionKeys, s.exportMIPFunctions(tables.Dead().Executed)}
	return &family{
		name: mip.Family, kind: "MIP",
		pages: []route{
			at("/", s.mipOverviewPage), at("/functions", s.mipFunctionsPage(mipAllTable)), at("/functions/", s.mipFunctionsPage(mipAllTable)), at("/functions/{fid}", s.mipFunctionPage), at("/tree", s.mipTreePage),
			at("/order", s.mipStartupPage), at("/dead", s.mipFunctionsPage(mipDeadTable)), at("/calls", s.mipFunctionsPage(mipCallsTable)), at("/runs", s.mipRunsPage),
		},
		api: []route{
			at("/functions", s.listMIPFunctions), at("/functions/", s.listMIPFunctions), at("/functions/{fid}", s.getMIPFunction), at("/tree", s.getMIPTree), at("/coverage", s.getMIPCoverage),
			at("/traces", s.listMIPOrder), at("/runs", s.listMIPRuns),
		},
		search: searchFunctions, tabs: mipTabs, object: mipObjectOf, links: []string{"functions", "export/mip-json", "export/mip"},
		text: mipText, commands: mipCommands,
		figures: func(e *catalog.Entry) (functions, total page.Number) {
			total = page.Number{Text: "–", Exact: "no calls were counted"}
			if e.Total != "0" {
				total = totalOf(e, "calls")
			}
			return page.Number{Text: page.Plural(e.Functions, "function", "functions")}, total
		},
		shape:  "counters by magnitude",
		tables: map[string]tableExport{"functions": functions, "dead": dead},
	}
}

// mipTabs are the tabs of Machine IR Profiles.
func mipTabs(e *catalog.Entry, p *stored.Profile, base string, current view) []page.Tab {
	tabs := functionTabs(e, base, current)
	m, err := openPart(p, mipdb.Of)
	if err != nil {
		return tabs
	}
	o := m.Overview
	tabs = append(tabs, counted(tab(deadView, base+"/dead", current), page.Int(o.Functions-o.Executed)))
	if o.HasTimestamps() {
		tabs = append(tabs, tab(callsView, base+"/calls", current), tab(orderView, base+"/order", current))
	}
	if o.Runs > 0 {
		tabs = append(tabs, counted(tab(runsView, base+"/runs", current), page.Int(o.Runs)))
	}
	return tabs
}

// exportMIPFunctions reads the parameters of an export of functions, of those
// alone that some run executed, or that none did, where that is given.
func (s *mipRoom) exportMIPFunctions(executed *bool) func(r *http.Request, q url.Values) (listing, opener, error) {
	return func(r *http.Request, q url.Values) (listing, opener, error) {
		p, err := parseMIPFunctions(q)
		if err != nil {
			return listing{}, nil, err
		}
		if executed != nil {
			p.Query.Executed = executed
		}
		m, err := mipdb.Of(s.profile(r))
		if err != nil {
			return listing{}, nil, err
		}
		return p.listing, func(ctx context.Context, o tables.Options, whole bool) (tables.Table, error) {
			return tables.MIPFunctions(ctx, m, p.Query, o, whole)
		}, hasRuns(m.Overview, p.Query.Run, p.Query.OnlyRun)
	}
}

func mipText(_ context.Context, t *profileWriter, p *stored.Profile) error {
	m, err := mipdb.Of(p)
	if err != nil {
		return err
	}
	mipFigures(t, m.Overview)
	return nil
}

func mipCommands(t *profileWriter, next func(does, call string)) {
	next("all functions", quoted(t.api, "/functions?format=text"))
	next("what never ran", quoted(t.api, "/functions?format=text&executed=false"))
	next("coverage by namespace", quoted(t.api, "/coverage?format=text"))
	if t.ordered {
		next("order file", "-OJ "+quoted(t.api, "/export/order"))
	}
	next("merged profile", "-OJ "+quoted(t.api, "/export/mip"))
}

func (s *mipRoom) machine(r *http.Request) *mipdb.Profile { return partOf[*mipdb.Profile](r) }
