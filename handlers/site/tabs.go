package site

import (
	"net/http"
	"slices"

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

// Counted is a tab with how much there is behind it.
func Counted(t page.Tab, count string) page.Tab {
	t.Count = humanize.Number{Text: count}
	return t
}

// profileTabs are the views of a profile that has tables. One that its families
// cannot have is absent.
func (s *Site) profileTabs(r *http.Request, base string, current View) []page.Tab {
	e := s.Entry(r)
	p, _ := r.Context().Value(ProfileKey).(*stored.Profile)
	tabs := []page.Tab{Tab(OverviewView, base, current)}
	families := leadFirst(s.familiesOf(e.Families))
	for _, f := range families {
		own := f.Tabs(r.Context(), e, p, base, current)
		if len(families) > 1 {
			own = grouped(f.Measures, own)
		}
		tabs = append(tabs, own...)
	}
	tabs = slices.Concat(tabs, s.filesTab(r, e, p, base, current),
		grouped("File", s.fileTabs(r, base, current)))
	if e.State == catalog.Ready {
		downloads := Tab(DownloadsView, base+"/downloads", current)
		downloads.Apart = true
		tabs = append(tabs, downloads)
	}
	return tabs
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

// FunctionTabs are the tabs of families that have functions.
func FunctionTabs(e *catalog.Entry, base string, current View) []page.Tab {
	functions := Tab(FunctionsView, base+"/functions", current)
	if e.State == catalog.Ready {
		functions = Counted(functions, humanize.Int(e.Functions))
	}
	return []page.Tab{functions, Tab(TreeView, base+"/tree", current)}
}
