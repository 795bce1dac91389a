package tables

import (
	"fmt"
	"io"
)

// Format is how a table is written.
type Format string

// The formats.
const (
	FormatJSON   Format = "json"
	FormatCSV    Format = "csv"
	FormatNDJSON Format = "ndjson"
	FormatText   Format = "text" // for reading in a terminal
)

// Writer writes the rows of one table, one after another; nothing is held.
type Writer interface {
	// Row writes the cells of a row, in the order of the head's names.
	Row(cells []Cell) error
	// End writes what stands after the last row, and out what is buffered.
	End(End) error
}

// Head is what a Writer knows of its table.
type Head struct {
	Names  []string
	Widths []int // in characters, for text
	Quote  bool  // counts are JSON strings
	Guard  bool  // CSV: text that a spreadsheet would take for a formula has an apostrophe in front, linkage names never
	// Partial are the lines of model.PartialLines for an export of a profile of
	// whose files only the beginning was decoded: JSON and NDJSON say so at their
	// end. CSV and text have no place for it.
	Partial []string
}

// End is what is known when the last row was written.
type End struct {
	Rows  int // written
	Total int // rows of the table
	Next  int // position of the row to go on with, -1 when there is none
	// More are further members of the envelope of JSON, each after a comma.
	More []byte
	// Unsettled is set when a filter is not through: what was written can still
	// change.
	Unsettled bool
}

// NewWriter begins a table: CSV and text write the columns' names. JSON is the
// envelope of lists.
func NewWriter(w io.Writer, f Format, h Head) (Writer, error) {
	switch f {
	case FormatCSV:
		return newCSV(w, h)
	case FormatNDJSON:
		return newNDJSON(w, h), nil
	case FormatText:
		return newText(w, h)
	case FormatJSON:
		return newJSON(w, h), nil
	}
	return nil, fmt.Errorf("tables: there is no format %q", f)
}
