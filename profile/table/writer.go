package table

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

// Writer writes the rows of one table, one after another. It holds few of them.
type Writer struct {
	w     io.Writer
	form  form
	add   rowFunc
	b     []byte // not yet written
	bytes int    // of rows so far
}

// form is how a format writes a table, bytes appended to b.
type form interface {
	// begin is what stands before the first row.
	begin(b []byte) []byte
	// rows is what appends rows: each goroutine has one of its own.
	rows() rowFunc
	// end is what stands after the last row.
	end(b []byte, e End) []byte
}

// rowFunc appends a row of the cells that these make, in the order of the head's names.
type rowFunc = func(b []byte, cells []func() Cell, first bool) []byte

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

// NewWriter begins a table: CSV and text have the columns' names in front, JSON is
// the envelope of lists.
func NewWriter(w io.Writer, f Format, h Head) (*Writer, error) {
	var of form
	switch f {
	case FormatCSV:
		of = newCSV(h)
	case FormatNDJSON:
		of = newNDJSON(h)
	case FormatText:
		of = newText(h)
	case FormatJSON:
		of = newJSON(h)
	default:
		return nil, fmt.Errorf("table: there is no format %q", f)
	}
	return &Writer{w: w, form: of, add: of.rows(), b: of.begin(nil)}, nil
}

// writeFrom is how many bytes of rows are written in one go.
const writeFrom = 64 << 10

// rows takes rows that the form has made.
func (w *Writer) rows(b []byte) error {
	if len(w.b) > 0 {
		if err := w.flush(); err != nil {
			return err
		}
	}
	_, err := w.w.Write(b)
	return err
}

// row takes what makes the cells of a row.
func (w *Writer) row(cells []func() Cell, first bool) error {
	before := len(w.b)
	w.b = w.add(w.b, cells, first)
	w.bytes += len(w.b) - before
	if len(w.b) < writeFrom {
		return nil
	}
	return w.flush()
}

// end writes what stands after the last row.
func (w *Writer) end(e End) error {
	w.b = w.form.end(w.b, e)
	return w.flush()
}

func (w *Writer) flush() error {
	_, err := w.w.Write(w.b)
	w.b = w.b[:0]
	return err
}
