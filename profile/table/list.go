package table

import (
	"context"
	"io"

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

// List is a table of T that is read step by step. It is the [Table] to make.
type List[T any] struct {
	Columns []Column[T]
	Usual   []string // columns when none are asked for; nil for all
	Text    []string // those of the text format; nil for the usual
	Quote   bool     // of Options
	// Read gives the rows from a position on, at most limit. They are used
	// before the next call, unless the list says that they stand Apart.
	Read func(ctx context.Context, offset, limit int) (Step[T], error)
	// Apart says that Read and the columns' Value may be called by several goroutines, each
	// using rows of its own. Once nothing is unsettled, the rest of the table is then
	// written by every core.
	Apart bool
	// More adds to the envelope of JSON, each member after a comma, once the rows
	// were read; nil adds nothing. columns are those that were picked.
	More func(b []byte, columns []Column[T]) []byte
}

// Step is some rows of a table.
type Step[T any] struct {
	Rows      int
	Row       func(i int) *T // called in the order of rows; it is valid until the next
	Total     int            // rows of the table
	Unsettled bool           // a filter is not through: what stands here can still change
	InPlace   bool           // each row stands where the one before did
}

// filler makes the cells of rows.
func (s *Step[T]) filler(columns []Column[T]) func(cells []Cell, i int) {
	var bound []func() Cell
	return func(cells []Cell, i int) {
		row := s.Row(i)
		if !s.InPlace {
			fill(cells, columns, row)
			return
		}
		if bound == nil {
			for _, c := range columns {
				bound = append(bound, c.bind(row))
			}
		}
		for i, cell := range bound {
			cells[i] = cell()
		}
	}
}

// Rows are some columns of a table. They do not know what a row is of: so the code that
// writes them is compiled once, and not for each kind of table.
type Rows struct {
	Head  Head
	apart bool // of List
	read  func(ctx context.Context, offset, limit int) (batch, error)
	more  func(b []byte) []byte // nil adds nothing
}

// batch is a Step of whatever rows.
type batch struct {
	rows      int
	total     int
	unsettled bool
	fill      func(cells []Cell, i int) // makes the cells of a row
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
func (l *List[T]) Select(names []string, f Format) (*Rows, error) {
	head, places, err := choose(headOf(l.Columns, l.Quote), names, l.Usual, l.Text, f)
	if err != nil {
		return nil, err
	}
	columns := at(l.Columns, places)
	r := &Rows{Head: head, apart: l.Apart}
	r.read = func(ctx context.Context, offset, limit int) (batch, error) {
		step, err := l.Read(ctx, offset, limit)
		return batch{step.Rows, step.Total, step.Unsettled, step.filler(columns)}, err
	}
	if l.More != nil {
		r.more = func(b []byte) []byte { return l.More(b, columns) }
	}
	return r, nil
}

// choose is the head of the columns to write, of a table with all of these, and where
// they stand.
func choose(all Head, names, usual, text []string, f Format) (Head, []int, error) {
	if len(names) == 0 {
		names = usual
		if f == FormatText && text != nil {
			names = text
		}
	}
	if len(names) == 0 {
		names = all.Names
	}
	places, err := placesOf(all.Names, names)
	if err != nil {
		return Head{}, nil, err
	}
	head := Head{Names: names, Quote: all.Quote}
	for _, at := range places {
		head.Widths = append(head.Widths, all.Widths[at])
	}
	return head, places, nil
}

func headOf[T any](columns []Column[T], quote bool) Head {
	h := Head{Names: make([]string, len(columns)), Widths: make([]int, len(columns)), Quote: quote}
	for i, c := range columns {
		h.Names[i], h.Widths[i] = c.Name, c.Width
	}
	return h
}

func (r *Rows) copy(ctx context.Context, offset, limit int, page bool, begin func() (*Writer, error)) (End, error) {
	most := stepRows
	switch {
	case page:
		most = pageRows
	case r.apart:
		most = pieceRows
	}
	end := End{Next: -1}
	var out *Writer
	for full := false; ; {
		step, err := r.read(ctx, offset+end.Rows, min(most, limit-end.Rows))
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
		end.Total, end.Unsettled = step.total, step.unsettled
		if r.apart && !page && !step.unsettled {
			if err := r.copyRest(ctx, offset, limit, out, &end); err != nil {
				return end, err
			}
		}
		next := offset + end.Rows
		if step.rows == 0 || next >= step.total {
			break
		}
		if end.Rows == limit || full {
			end.Next = next
			break
		}
		// A page does not search on for its next rows: they are asked for again.
		if step.unsettled && page {
			break
		}
	}
	if end.Unsettled { // the same place again
		end.Next = offset
	}
	if r.more != nil {
		end.More = r.more(nil)
	}
	return end, out.end(end)
}

// write writes rows, of a page only until it is full.
func (r *Rows) write(out *Writer, step batch, page bool, end *End) (full bool, err error) {
	cells := make([]Cell, len(r.Head.Names))
	for i := range step.rows {
		step.fill(cells, i)
		if err := out.row(cells, end.Rows == 0); err != nil {
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
		step, err := r.read(ctx, p.from, p.to-p.from)
		cells, add := make([]Cell, len(r.Head.Names)), out.form.rows()
		for i := range step.rows {
			if len(p.bytes) > pieceBytes {
				break
			}
			step.fill(cells, i)
			p.bytes = add(p.bytes, cells, false)
			p.rows++
		}
		return p, err
	}, func(p piece) error {
		end.Rows += p.rows
		if err := out.rows(p.bytes); err != nil || p.from+p.rows == p.to {
			return err
		}
		// Rows as long as no program's: not many are held at once.
		step, err := r.read(ctx, p.from+p.rows, p.to-p.from-p.rows)
		if err == nil {
			_, err = r.write(out, step, false, end)
		}
		return err
	})
}
