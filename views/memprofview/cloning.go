package memprofview

import (
	"proflens/internal/humanize"
	"proflens/views/page"
)

// Cloning is the page of what the compiler would clone, and of what other
// thresholds change.
type Cloning struct {
	Tiles         []page.Tile
	Thresholds    ThresholdForm
	Before, After []ClassRow // by default, and by own thresholds: none where those are the default
	Hints         string     // what becomes of hot contexts
	Changes       string     // how many contexts change class
	ChangedHeads  []page.Head
	Changed       []ContextRow // some of them
	AllChanged    string       // address of all; empty for none
	page.List                  // around Sites
	Sites         []CloningRow
	Cut           bool // some stacks were not followed to their ends
}

// ThresholdForm is the thresholds of classes, with the compiler's options.
type ThresholdForm struct {
	Action   string
	Keep     []page.Hidden
	Fields   []ThresholdField
	HotHints bool
	Default  string // address with the compiler's; empty where they are in force
}

// ThresholdField is a threshold with its unit and the option that sets it.
type ThresholdField struct {
	page.RangeField
	Unit, Option string
}

// ClassRow is what a class comes to.
type ClassRow struct {
	Tag      page.Tag
	Contexts string
	Bytes    humanize.Number
}

// CloningRow is a site that needs cloning. Cells are those of the heads behind
// the first.
type CloningRow struct {
	Name  humanize.Name
	Place string
	URL   string
	Cells []humanize.Number
}

// Pruned is the page of one site: its contexts pruned, and whole.
type Pruned struct {
	Title      humanize.Name
	Place      string
	Says       string
	Tiles      []page.Tile
	Thresholds ThresholdForm
	Crumbs     []page.Link
	Modes      []page.Segment
	CSV        string
	MIBs       []MIBRow
	More       string // MIBs that are not shown
	Heads      []page.Head
	Contexts   []ContextRow
	Shown      string
	All        string // address of all contexts of the site
	Cut        bool
}

// MIBRow is a MIB after pruning.
type MIBRow struct {
	Class     page.Tag
	LeftOut   bool
	Ambiguous bool
	Frames    []Frame // that are kept
	More      string  // frames that are not shown
	Contexts  string
	Bytes     humanize.Number
	Cold      humanize.Number
}
