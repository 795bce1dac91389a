package handlers

import (
	"context"
	"net/http"
	"slices"

	"proflens/decode/dcpi"
	"proflens/store"
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
func (s *server) profileTabs(r *http.Request, base string, current view) []page.Tab {
	e := s.entry(r)
	tabs := []page.Tab{tab(overviewView, base, current)}
	if !onlyHeap(e) && !slices.Contains(e.Families, dcpi.Family) {
		functions := tab(functionsView, base+"/functions", current)
		if e.State == store.Ready {
			functions = counted(functions, page.Int(e.Functions))
		}
		tabs = append(tabs, functions, tab(treeView, base+"/tree", current))
	}
	tabs = slices.Concat(tabs, s.contentTabs(r, base, current), s.fileTabs(r, base, current))
	if e.State == store.Ready {
		convert := tab(convertView, base+"/convert", current)
		convert.Apart = true
		tabs = append(tabs, convert)
	}
	return tabs
}

// contentTabs are the tabs of what only some profiles have.
func (s *server) contentTabs(r *http.Request, base string, current view) []page.Tab {
	p, opened := r.Context().Value(profileKey).(Profile)
	if !opened {
		return nil
	}
	o, err := p.Overview(context.WithoutCancel(r.Context()))
	if err != nil {
		return nil // what the page itself needs of the tables says so
	}
	if o.DCPI != nil {
		return dcpiTabs(o.DCPI, base, current)
	}
	if o.MIP != nil {
		return mipTabs(o.MIP, base, current)
	}
	var tabs []page.Tab
	if n := o.Sites[0] + o.Sites[1] + o.Sites[2]; n > 0 {
		tabs = append(tabs, counted(tab(valuesView, base+"/values", current), page.Int(n)))
	}
	if o.BitmapBytes > 0 {
		tabs = append(tabs, tab(bitmapsView, base+"/bitmaps", current))
	}
	if o.Traces > 0 {
		tabs = append(tabs, counted(tab(orderView, base+"/order", current), page.Plural(o.Traces, "trace", "traces")))
	}
	return append(tabs, heapTabs(o.MemProf, base, current)...)
}

// fileTabs are the views of the files themselves, which need no tables.
func (s *server) fileTabs(r *http.Request, base string, current view) []page.Tab {
	diagnostics := tab(diagnosticsView, base+"/diagnostics", current)
	diagnostics.Count = s.findingCount(r)
	return []page.Tab{diagnostics, tab(rawView, base+"/raw", current)}
}

// searchOf is the box in the top bar: what is looked for depends on the family.
func searchOf(e *store.Entry, base string) *page.Search {
	switch {
	case slices.Contains(e.Families, dcpi.Family):
		return &page.Search{Action: base + "/procedures", Label: "Find a procedure"}
	case onlyHeap(e):
		return &page.Search{Action: base + "/sites", Label: "Find a frame or a file", Keep: []page.Hidden{{Name: "by", Value: "context"}}}
	}
	return &page.Search{Action: base + "/functions", Label: "Find a function"}
}
