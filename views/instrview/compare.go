package instrview

import (
	"proflens/internal/humanize"
	"proflens/profile/instrdb"
	"proflens/views/page"
)

// Overlaps is what llvm-profdata overlap computes.
type Overlaps struct {
	Lines          []OverlapLine
	Other, OtherOf string // the figures of the other sort of records; may be empty
	Open           bool
}

// OverlapLine is a line of what llvm-profdata overlap prints.
type OverlapLine struct {
	Kind, Overlap, Mismatch, Unique string
	Base, Test                      humanize.Number
}

// CompareTree is a node of the tree of changes with what is below it.
type CompareTree struct {
	Head   page.Compare
	Ways   []page.Segment // by path, by namespace
	Title  string
	Crumbs []page.Link
	Says   string      // the node's shares
	All    string      // the changes of the node's functions
	Rules  *page.Rules // nil for namespaces
	Notes  []string
	CSV    string
	Rows   []ChangeRow
	Shown  string
	Pager  page.Pager
}

// ChangeRow is a node in both profiles.
type ChangeRow struct {
	page.TreeName
	Node     *instrdb.ChangeNode
	PairsURL string // its functions; may be empty
	Change   page.Change
}
