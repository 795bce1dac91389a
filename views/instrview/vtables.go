package instrview

import (
	"proflens/say"
	"proflens/views/chart"
	"proflens/views/page"
)

// VTables is a page of the classes with a vtable, already formatted.
type VTables struct {
	Says      string
	None      string // what was seen that is in no vtable; empty for nothing
	NoneURL   string // the sites that saw that
	Filter    page.QuickFilter
	Seen      []page.Segment // all, seen, never seen
	Chips     []page.Chip    // filters in force
	Modes     []page.Segment
	CSV       string
	Heads     []page.Head
	Inspector *page.Inspector // nil when no row is selected
	Rows      []VTableRow
	Shown     string
	Pager     page.Pager
	Empty     *page.Blank
}

// VTableRow is one class.
type VTableRow struct {
	page.Selected
	Class     say.Name
	URL       string // its own page
	Count     say.Number
	Share     string // of all counts of vtable sites
	Bar       chart.Bar
	Sites     string
	Functions string
	Range     string // first and last address; empty where it is not known
	More      string // how many further ranges there are
	Size      string // bytes
}

// VTable is the page of one class: its vtable, and the sites that saw it.
type VTable struct {
	page.List
	Name   say.Name
	All    string // the page of all vtables
	Facts  []page.Fact
	Note   string
	Ranges []string // where it stood
	Rows   []VTableSiteRow
}

// VTableSiteRow is a value site that saw the vtable.
type VTableSiteRow struct {
	page.Selected
	Place     string // in the order, from 1
	Name      say.Name
	URL       string // the function's page, at its vtable sites
	CS        bool
	Index     string
	Addresses string // in the vtable, that the site saw
	Count     say.Number
	Share     string // of what the site saw
	Bar       chart.Bar
}
