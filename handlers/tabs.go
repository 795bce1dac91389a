package handlers

import (
	"net/http"

	"proflens/catalog"
	"proflens/profiledb/stored"
	"proflens/views/page"
)

// view is one of the pages of a profile.
type view string

const (
	overviewView    view = "Overview"
	functionsView   view = "Functions"
	treeView        view = "Tree"
	valuesView      view = "Value sites"
	bitmapsView     view = "MC/DC"
	orderView       view = "Order"
	deadView        view = "Never executed"
	callsView       view = "Calls"
	runsView        view = "Runs"
	sitesView       view = "Allocation sites"
	flameView       view = "Flame graph"
	lifetimesView   view = "Lifetimes"
	callSitesView   view = "Call sites"
	dataView        view = "Data access"
	proceduresView  view = "Procedures"
	addressesView   view = "Addresses"
	heatView        view = "Heat map"
	imagesView      view = "Images"
	epochsView      view = "Epochs"
	diagnosticsView view = "Diagnostics"
	rawView         view = "Raw"
	convertView     view = "Convert"
	otherView       view = "" // has no tab
)

// tab is a view's tab; path is that of the view.
func tab(v view, path string, current view) page.Tab {
	return page.Tab{Label: string(v), URL: path, Current: v == current}
}

// counted is a tab with how much there is behind it.
func counted(t page.Tab, count string) page.Tab {
	t.Count = page.Number{Text: count}
	return t
}

// profileTabs are the views of a profile that has tables. One that its families
// cannot have is absent.
func (s *Site) profileTabs(r *http.Request, base string, current view) []page.Tab {
	e := s.entry(r)
	p, _ := r.Context().Value(profileKey).(*stored.Profile)
	tabs := []page.Tab{tab(overviewView, base, current)}
	for _, f := range s.familiesOf(e.Families) {
		tabs = append(tabs, f.tabs(e, p, base, current)...)
	}
	tabs = append(tabs, s.fileTabs(r, base, current)...)
	if e.State == catalog.Ready {
		convert := tab(convertView, base+"/convert", current)
		convert.Apart = true
		tabs = append(tabs, convert)
	}
	return tabs
}

// fileTabs are the views of the files themselves, which need no tables.
func (s *Site) fileTabs(r *http.Request, base string, current view) []page.Tab {
	diagnostics := tab(diagnosticsView, base+"/diagnostics", current)
	diagnostics.Count = s.findingCount(r)
	return []page.Tab{diagnostics, tab(rawView, base+"/raw", current)}
}

func searchFunctions(base string) *page.Search {
	return &page.Search{Action: base + "/functions", Label: "Find a function"}
}

// functionTabs are the tabs of families that have functions.
func functionTabs(e *catalog.Entry, base string, current view) []page.Tab {
	functions := tab(functionsView, base+"/functions", current)
	if e.State == catalog.Ready {
		functions = counted(functions, page.Int(e.Functions))
	}
	return []page.Tab{functions, tab(treeView, base+"/tree", current)}
}
