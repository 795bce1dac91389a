package page

import (
	"proflens/internal/humanize"
	"proflens/views/chart"
)

// Grid is the page of a table that is declared.
type Grid struct {
	List
	ID      string // of the table, for tests and styles: "calls"
	Title   string
	Says    string // what the rows come to
	Note    string // what the table is of
	How     How    // of its title
	Above   Part   // what stands over the filter; nil for nothing
	Extra   Part   // more controls beside it; nil for none
	Facets  []Segment
	Ways    []Segment // other ways to show it
	Columns ColumnMenu
	Rows    []GridRow
	Status  []string // more to say below
	Opens   string   // what Enter opens: "flame graph here"
}

// GridRow is a row of a declared table.
type GridRow struct {
	Selected
	Cells []GridCell // a cell a head
}

// GridCell is what a row has in a column: the parts that are set, in their order.
type GridCell struct {
	Name   *humanize.Name // a function
	URL    string         // where the name or the text leads; of the row's first, what Enter opens
	Bar    *chart.Bar
	Change *Change // a difference, with its bar
	Number humanize.Number
	Text   string
	Title  string // the text in full
	Place  bool   // it is a place in the source
	Tags   []Tag
	Lines  []GridCell // below each other
	Label  string     // what its link does, where its text does not say it
	Drawn  Part
}

// Class is the kind of cell, for its style.
func (c *GridCell) Class() string {
	switch {
	case c.Name != nil:
		return "cell-name"
	case c.Place:
		return "cell-at"
	case c.Text != "":
		return "cell-text"
	}
	return ""
}
