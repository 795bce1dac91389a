package instrview

import (
	"proflens/internal/humanize"
	"proflens/views/chart"
	"proflens/views/page"
)

// Contexts are the plain and the context-sensitive record of a function, side
// by side.
type Contexts struct {
	Plain, CS ContextSide
	Rows      []ContextRow
	Counters  []uint32 // the first of both by number, as Filter and Heads have them
	Heads     []page.Head
	Filter    page.QuickFilter
	Open      bool   // they were sorted or filtered
	More      string // how many counters are not listed; empty for none
	Others    string // records beside these two; empty for none
}

// ContextSide is the head of one record.
type ContextSide struct {
	RecordRow
	Drawn chart.Shape
}

// ContextRow is a figure of both records.
type ContextRow struct {
	Label     string
	Plain, CS humanize.Number
	Ratio     string // CS to plain; empty where it says nothing
	How       page.How
}
