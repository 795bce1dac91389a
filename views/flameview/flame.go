// Package flameview is the page of a flame graph, of whatever family.
package flameview

import (
	"proflens/internal/humanize"
	"proflens/views/chart"
	"proflens/views/page"
)

// Flame is a merged call tree: a picture, which scripts draw, and the same as a table.
type Flame struct {
	Title    string
	Widths   []page.Segment
	How      page.How // what widths are
	Colours  []Colour
	Layouts  []page.Segment
	Switches []page.Segment // turn folding on and off
	Swap     string         // the layout that the key i leads to

	Graph string // address of the tree in the API
	// Weight is the column of the API that widths are. Counts is what it counts, one
	// and many; it is empty for weights that have a way of their own to be written in
	// web/flame/figures.ts.
	Weight   string
	Counts   [2]string
	All      string // what the root stands for, such as "all allocation contexts"
	Colour   string
	Plain    string // the colour that an address without one has
	Sandwich string // callers and callees of a function, up to its FID
	Leads    []Lead
	Facts    []Fact // of the selected frame
	Library  bool   // the menu on a frame folds the library's frames
	AsTable  bool   // the page is the table alone
	Other    string // the address of the other form
	Exports  []page.Download
	Filter   Filter
	Chips    []page.Chip
	Clear    string
	Notes    []string
	Crumbs   []page.Link
	Says     string
	Centre   string   // the function of a sandwich; empty elsewhere
	Columns  []Column // of the table, behind those of all flame graphs
	Trees    []Tree   // one, or the two of a sandwich
	Empty    *page.Blank
	Compared bool // the tree is that of two profiles
}

// Colour is one of the figures that colours can say.
type Colour struct {
	page.Segment
	Key       string
	Low, High string // ends of the scale with their unit; empty for categories
}

// Lead leads on from a frame, to the address that ends with what it is By.
type Lead struct {
	Label, Address string // of ByFile the label is "Open" and the file's name
	By             LeadBy
}

// LeadBy is what of a frame ends an address.
type LeadBy string

// What ends the address of a [Lead].
const (
	ByFunction LeadBy = "function" // its FID
	ByLinkage  LeadBy = "linkage"  // its linkage name
	ByFile     LeadBy = "file"     // its source file
)

// Fact is a figure of the selected frame: a column of the API times Scale, which is 1
// where it is 0, and per another column where Per is not empty. Frames without it, or
// with 0 to divide by, do not have the fact.
type Fact struct {
	Label  string  `json:"label"`
	Column string  `json:"column"`
	Per    string  `json:"per,omitempty"`
	Scale  float64 `json:"scale,omitempty"`
	As     string  `json:"as"` // "bytes", "count", "rate" or "seconds"
}

// Filter is the form of the frames that stacks must have, and must not. Without Action
// there is none.
type Filter struct {
	Action        string
	Focus, Ignore string
	Query         string // of the search in the picture
	Keep          []page.Hidden
}

// Column is the head of a column of a family's figures.
type Column struct{ Label, Title string }

// Tree is a call tree as a table.
type Tree struct {
	ID, Title string
	Rows      []Row
	Shown     string
}

// Row is a node of the tree.
type Row struct {
	Level       string // from 1
	Size, Place string // of its siblings
	Indent      int    // 0 to 24
	Open        string // "true" where there are rows below it, else empty
	Name        string
	Title       string
	Inline      bool
	URL         string // zooms to it
	Weight      humanize.Number
	Share       string
	Bar         chart.Bar
	Self        humanize.Number
	Cells       []humanize.Number // by [Column]; what the profile lacks is empty
	Hidden      string            // "+1 234 frames"
	// Of two profiles: what each has.
	A, B   humanize.Number
	Change page.Change
}
