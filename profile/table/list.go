package table

import (
	"context"
	"io"
	"reflect"

	"proflens/internal/parallel"
)

// How many rows are read at a time: of a whole table, by one of several goroutines, and
// of a page, which can end before its limit.
const (
	stepRows  = 1000
	pieceRows = 1024
	pageRows  = 100
)

// pieceBytes is where a piece that is made ahead of its turn stops.
const pieceBytes = 1 << 20

// pageBytes is where a page ends whatever its limit: a thousand rows of long names
// would be a hundred megabytes.
const pageBytes = 8 << 20

// Table is an opened table, of whatever its rows are.
type Table interface {
	// Select picks columns by name, or with no names those that are usual in the
	// format. The error is a *[ColumnError].
	Select(columns []string, f Format) (*Rows, error)
}

// List is a table that is read step by step. It is the [Table] to make.
type List struct {
	Columns []*Field
	Usual   []string // columns when none are asked for; nil for all
	Text    []string // those of the text format; nil for the usual
	Options
	// Read gives the rows from a position on, at most limit. They are used
	// before the next call, unless the list says that they stand Apart.
	Read func(ctx context.Context, offset, limit int) (Step, error)
	// Apart says that Read and the columns' cells may be called by several goroutines, each
	// using rows of its own. Once nothing is unsettled, the rest of the table is then
	// written by every core.
	Apart bool
	// More adds to the envelope of JSON, each member after a comma, once the rows
	// were read; nil adds nothing. columns are those that were picked.
	More func(b []byte, columns []*Field) []byte
}

// Step is some rows of a table.
type Step struct {
	Rows int
	// Row is called in the order of rows: each stands where the one before did.
	Row       func(i int) reflect.Value
	Total     int  // rows of the table
	Unsettled bool // a filter is not through: what stands here can still change
}

// cells gives what makes the cells of a row, valid until the next. To find a field, and the struct that
// makes computed cells, takes longer than most cells, so it is done for the first row alone.
func (s *Step) cells(columns []*Field, o Options) func(i int) []func() Cell {
	var bound []func() Cell
	return func(i int) []func() Cell {
		row := s.Row(i)
		if bound == nil {
			for _, f := range columns {
				bound = append(bound, f.inPlace(row, &o))
			}
		}
		return bound
	}
}

// Rows are some columns of a table.
type Rows struct {
	Head    Head
	of      *List
	columns []*Field
}

// Page writes rows from a position on as JSON, at most limit and about 8 MiB, but one
// row at least where there is one. Its End says where the next page begins.
//
// The error is the writer's, the context's, or about the profile.
func (r *Rows) Page(ctx context.Context, w io.Writer, offset, limit int) (End, error) {
	return r.copy(ctx, offset, limit, true, func() (*Writer, error) { return NewWriter(w, FormatJSON, r.Head) })
}

// Copy writes rows from a position on, at most limit and all when it is
// negative, reading them in steps. begin makes the writer once the first step
// was read, so that what fails before can still be told otherwise.
//
// The error is begin's, the writer's, the context's, or about the profile.
func (r *Rows) Copy(ctx context.Context, offset, limit int, begin func() (*Writer, error)) (End, error) {
	if limit < 0 {
		limit = int(^uint(0) >> 1)
	}
	return r.copy(ctx, offset, limit, false, begin)
}

// Select implements [Table].
func (l *List) Select(names []string, f Format) (*Rows, error) {
	if len(names) == 0 {
		names = l.Usual
		if f == FormatText && l.Text != nil {
			names = l.Text
		}
	}
	if len(names) == 0 {
		names = ColumnNames(l.Columns)
	}
	columns, err := pick(l.Columns, names)
	return &Rows{headOf(columns, l.Quote), l, columns}, err
}

func headOf(columns []*Field, quote bool) Head {
	h := Head{Names: ColumnNames(columns), Quote: quote}
	for _, f := range columns {
		h.Widths = append(h.Widths, f.width)
	}
	return h
}

func (r *Rows) copy(ctx context.Context, offset, limit int, page bool, begin func() (*Writer, error)) (End, error) {
	most := stepRows
	switch {
	case page:
		most = pageRows
	case r.of.Apart:
		most = pieceRows
	}
	end := End{Next: -1}
	var out *Writer
	for full := false; ; {
		step, err := r.of.Read(ctx, offset+end.Rows, min(most, limit-end.Rows))
		if err != nil {
			return end, err
		}
		if out == nil {
			if out, err = begin(); err != nil {
				return end, err
			}
		}
		if full, err = r.write(out, step, page, &end); err != nil {
			return end, err
		}
		end.Total, end.Unsettled = step.Total, step.Unsettled
		if r.of.Apart && !page && !step.Unsettled {
			if err := r.copyRest(ctx, offset, limit, out, &end); err != nil {
				return end, err
			}
		}
		next := offset + end.Rows
		if step.Rows == 0 || next >= step.Total {
			break
		}
		if end.Rows == limit || full {
			end.Next = next
			break
		}
		// A page does not search on for its next rows: they are asked for again.
		if step.Unsettled && page {
			break
		}
	}
	if end.Unsettled { // the same place again
		end.Next = offset
	}
	if r.of.More != nil {
		end.More = r.of.More(nil, r.columns)
	}
	return end, out.end(end)
}

// write writes rows, of a page only until it is full.
func (r *Rows) write(out *Writer, step Step, page bool, end *End) (full bool, err error) {
	cells := step.cells(r.columns, r.of.Options)
	for i := range step.Rows {
		if err := out.row(cells(i), end.Rows == 0); err != nil {
			return false, err
		}
		if end.Rows++; page && out.bytes >= pageBytes {
			return true, nil
		}
	}
	return false, nil
}

// copyRest writes what comes after the first step, made on every core.
func (r *Rows) copyRest(ctx context.Context, offset, limit int, out *Writer, end *End) error {
	first, last := offset+end.Rows, min(end.Total, offset+min(limit, end.Total))
	pieces := (max(last-first, 0) + pieceRows - 1) / pieceRows
	type piece struct {
		bytes    []byte
		rows     int // in bytes
		from, to int // of the rows it is to have
	}
	return parallel.Each(ctx, pieces, func(ctx context.Context, i int, p piece) (piece, error) {
		from := first + i*pieceRows
		p = piece{p.bytes[:0], 0, from, min(from+pieceRows, last)}
		step, err := r.of.Read(ctx, p.from, p.to-p.from)
		cells, add := step.cells(r.columns, r.of.Options), out.form.rows()
		for i := range step.Rows {
			if len(p.bytes) > pieceBytes {
				break
			}
			p.bytes = add(p.bytes, cells(i), false)
			p.rows++
		}
		return p, err
	}, func(p piece) error {
		end.Rows += p.rows
		if err := out.rows(p.bytes); err != nil || p.from+p.rows == p.to {
			return err
		}
		// Rows as long as no program's: not many are held at once.
		step, err := r.of.Read(ctx, p.from+p.rows, p.to-p.from-p.rows)
		if err == nil {
			_, err = r.write(out, step, false, end)
		}
		return err
	})
}
