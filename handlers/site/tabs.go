package site

import (
	"context"
	"net/http"

	"proflens/catalog"
	"proflens/internal/humanize"
	"proflens/profile/stored"
	"proflens/views/page"
)

// View is one of the pages of a profile.
type View string

const (
	OverviewView    View = "Overview"
	FunctionsView   View = "Functions"
	TreeView        View = "Tree"
	ValuesView      View = "Value sites"
	VTablesView     View = "VTables"
	BitmapsView     View = "MC/DC bitmaps"
	OrderView       View = "Order"
	DeadView        View = "Never executed"
	CallsView       View = "Calls"
	RunsView        View = "Runs"
	SitesView       View = "Allocation sites"
	FlameView       View = "Flame graph"
	LifetimesView   View = "Lifetimes"
	CloningView     View = "Cloning"
	CallSitesView   View = "Call sites"
	DataView        View = "Data access"
	ProceduresView  View = "Procedures"
	AddressesView   View = "Addresses"
	HeatView        View = "Heat map"
	ImagesView      View = "Images"
	EpochsView      View = "Epochs"
	StaleView       View = "Stale"
	SymbolsView     View = "Symbols"
	DiagnosticsView View = "Diagnostics"
	RawView         View = "Raw"
	DownloadsView   View = "Downloads"
	OtherView       View = "" // has no tab
)

// Tab is a view's tab; path is that of the view.
func Tab(v View, path string, current View) page.Tab {
	return page.Tab{Label: string(v), URL: path, Current: v == current}
}

// Tabs are those of a family's pages, of a profile at an address while one of its views is shown.
type Tabs struct {
	Context context.Context
	Entry   *catalog.Entry
	Profile *stored.Profile // nil before the tables can be opened
	base    string
	current View
	list    []page.Tab
}

// Add adds the tab of a view at a path below the profile's, with how much there is behind it; empty for no count.
func (t *Tabs) Add(v View, path, count string) {
	tab := Tab(v, t.base+path, t.current)
	tab.Count = humanize.Number{Text: count}
	t.list = append(t.list, tab)
}

// AddFunctions adds that of functions, which are counted once all are stored.
func (t *Tabs) AddFunctions() {
	count := ""
	if t.Entry.State == catalog.Ready {
		count = humanize.Int(t.Entry.Functions)
	}
	t.Add(FunctionsView, "/functions", count)
}

// profileTabs are the views of a profile that has tables. One that its families
// cannot have is absent.
func (s *Site) profileTabs(r *http.Request, base string, current View) []page.Tab {
	e := s.Entry(r)
	p, _ := r.Context().Value(ProfileKey).(*stored.Profile)
	t := Tabs{Context: r.Context(), Entry: e, Profile: p, base: base, current: current}
	t.Add(OverviewView, "", "")
	families := leadFirst(s.familiesOf(e.Families))
	for _, f := range families {
		from := len(t.list)
		if f.Tabs(&t); len(families) > 1 {
			grouped(f.Measures, t.list[from:])
		}
	}
	s.addFiles(r, &t)
	t.list = append(t.list, grouped("File", s.fileTabs(r, base, current))...)
	if e.State == catalog.Ready {
		t.Add(DownloadsView, "/downloads", "")
		t.list[len(t.list)-1].Apart = true
	}
	return t.list
}

// grouped puts tabs under one word.
func grouped(under string, tabs []page.Tab) []page.Tab {
	for i := range tabs {
		tabs[i].Group = under
	}
	return tabs
}

// fileTabs are the views of the files themselves, which need no tables.
func (s *Site) fileTabs(r *http.Request, base string, current View) []page.Tab {
	diagnostics := Tab(DiagnosticsView, base+"/diagnostics", current)
	diagnostics.Count = s.findingCount(r)
	return []page.Tab{diagnostics, Tab(RawView, base+"/raw", current)}
}

func SearchFunctions(base string) *page.Search {
	return &page.Search{Action: base + "/functions", Label: "Find a function", Suggest: SuggestAt(base)}
}

// SuggestAt is where the search box of a profile's page asks while somebody types.
func SuggestAt(base string) string { return APIOf(base[len("/p/"):]) + "/suggest" }
