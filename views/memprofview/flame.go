package memprofview

import (
	"proflens/say"
	"proflens/views/chart"
	"proflens/views/page"
)

// Flame is the merged call tree of a heap profile: a picture, which scripts
// draw, and the same as a table.
type Flame struct {
	Title   string
	Widths  []page.Segment
	Colours []ColourChoice
	Layouts []page.Segment
	// Switches turn folding on and off; Folds is set where the library is folded.
	Switches []page.Segment
	Library  LibraryForm
	Folds    bool
	Swap     string // the layout that the key i leads to

	Graph    string // address of the tree in the API
	Weight   string
	Colour   string
	Plain    string // the colour that an address without one has
	Leads    FlameLeads
	AsTable  bool   // the page is the table alone
	Other    string // the address of the other form
	Exports  []page.Download
	Filter   FlameFilter
	Chips    []page.Chip
	Clear    string
	Notes    []string
	Crumbs   []page.Link
	Says     string
	Centre   string      // the function of a sandwich; empty elsewhere
	Trees    []FlameTree // one, or the two of a sandwich
	Empty    *page.Blank
	Compared bool // the tree is that of two heaps
}

// ColourChoice is one of the figures that colours can say.
type ColourChoice struct {
	page.Segment
	Key       string
	Low, High string // ends of the scale with their unit; empty for categories
}

// FlameLeads are the addresses that lead on from a frame, each without its end:
// the 16 digits of the function, or for Functions, which is empty where there
// are none, its linkage name.
type FlameLeads struct{ Sandwich, Sites, Functions, Files string }

// FlameFilter is the form of the frames that stacks must have, and must not.
type FlameFilter struct {
	Action        string
	Focus, Ignore string
	Query         string // of the search in the picture
	Keep          []page.Hidden
}

// FlameTree is a call tree as a table.
type FlameTree struct {
	ID, Title string
	Rows      []FlameRow
	Shown     string
	Compared  bool // rows are of two heaps
}

// FlameRow is a node of the tree. Figures that the profile lacks are empty.
type FlameRow struct {
	Level       string // from 1
	Size, Place string // of its siblings
	Indent      int    // 0 to 24
	Open        string // "true" where there are rows below it, "false" where all are left out, else empty
	Name        string
	Title       string
	Inline      bool
	URL         string // zooms to it
	Weight      say.Number
	Share       string
	Bar         chart.Bar
	Self        say.Number
	Allocations say.Number
	Lifetime    string
	Density     string
	Hidden      string // "+1 234 frames"
	// Of two heaps: what each has.
	A, B   say.Number
	Change page.Change
}
