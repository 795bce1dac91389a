package page

import (
	"proflens/profile/query"
	"proflens/views/chart"
)

// Tree is a node of the path or namespace tree with what is below it.
type Tree struct {
	Ways    []Segment   // by path, by namespace
	Title   string      // of the node: "lib/Support", "All files"
	Crumbs  []Link      // from the root to the node
	Says    string      // coverage in a sentence
	All     string      // address of the node's functions
	Never   string      // address of those that never ran; empty when all did
	NeverN  string      // how many
	Filter  QuickFilter // of the table; without an action there is none
	Chips   []Chip
	CSV     string
	Notes   []string // what to know of this tree
	Widths  []Segment
	Icicle  *chart.Icicle // nil when nothing has a width
	Rules   *Rules        // nil for namespaces
	Heads   []Head
	How     How // of the tree
	Rows    []TreeRow
	Shown   string // "rows 1–100 of 311"
	Pager   Pager
	Empty   *Blank
	Pending *Incomplete // names that are not in the tree yet
}

// Rules are the rewrites in force, and the form that adds one.
type Rules struct {
	Action string
	Chips  []Chip
	Clear  string
	Keep   []Hidden
}

// TreeName is a node's name in the table.
type TreeName struct {
	Name  string
	Title string // its whole path
	URL   string // opens it; empty where there is nothing below
	Plain bool   // Name is a description, not a name
}

// TreeRow is a node of the table.
type TreeRow struct {
	TreeName
	Node                   *query.TreeNode
	FunctionsURL, NeverURL string // empty for none
	Bar                    chart.Bar
}
