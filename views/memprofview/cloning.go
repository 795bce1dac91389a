package memprofview

import (
	"proflens/internal/humanize"
	"proflens/profile/memprofdb"
	"proflens/views/page"
)

// Cloning is the page of what the compiler would clone, and of what other
// thresholds change.
type Cloning struct {
	Names
	Tiles      []page.Tile
	Thresholds ThresholdForm
	// By default, and by own thresholds, in the order of analyze.MemProfClasses: none where
	// those are the default.
	Before, After []memprofdb.ClassTotals
	Hints         string   // what becomes of hot contexts
	Changes       string   // how many contexts change class
	Changed       Contexts // some of them
	AllChanged    string   // address of all; empty for none
	page.List              // around Sites
	Sites         []*memprofdb.PrunedSite
	URL           func(*memprofdb.PrunedSite) string // the page of a site
	Cut           bool                               // some stacks were not followed to their ends
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
	MIBs       []*memprofdb.PrunedMIB
	More       string // MIBs that are not shown
	Contexts
	Shown string
	All   string // address of all contexts of the site
	Cut   bool
}
