package dcpidb

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"proflens/names"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// RowKind says what a row of the table of procedures is.
type RowKind string

// The kinds of rows.
const (
	RowProcedure RowKind = "procedure"
	RowRange     RowKind = "range" // of addresses, in an image whose procedures are not known
	RowNone      RowKind = "none"  // samples outside all procedures of an image
)

// DefaultRange is how many bytes a row has in an image without symbols.
const DefaultRange = 1024

// Row is a procedure, or what stands in for one, with its samples.
type Row struct {
	Kind    RowKind
	Name    string // of a procedure
	Image   int    // in Overview.Images
	Address uint64
	Size    uint64 // bytes; 0: not known, and of samples outside all procedures
	Cells   []Cell // by column

	key rowKey
}

// Label names the row for people; empty outside all procedures.
func (r *Row) Label() string {
	if r.Kind == RowRange {
		return fmt.Sprintf("0x%x–0x%x", r.Address, r.Address+r.Size-1)
	}
	return r.Name
}

// ProcedureQuery selects, orders and pages procedures.
type ProcedureQuery struct {
	Selection
	Text, Regexp string      // over the name
	Range        uint64      // bytes of a row in images without symbols; 0 is DefaultRange
	Sort         []query.Key // by ColSamples, ColName, ColImage, ColAddress or columns; empty is samples, descending
	Offset       int
	Limit        int
}

// ProcedurePage is one page of a query.
type ProcedurePage struct {
	Columns  []Column
	Hidden   int // columns that are left out, being too many
	Rows     []ProcedureRow
	All      int    // procedures with samples
	Matching int    // that match
	Totals   []Cell // of those that match, by column
}

// ProcedureRow is a row in an order.
type ProcedureRow struct {
	Row
	Cum float64 // share of the ordering column that this row and those before it hold
}

// Procedures returns one page of the procedures that a selection has samples of.
// Samples outside all procedures are a row of each image, and images whose
// procedures are not known have ranges of addresses: columns add up to what the
// profiles hold. The order is by the first column, descending, and then by name.
//
// Errors are a *query.ColumnError, that of names.NewMatcher for a pattern, the
// context's, or about the file.
func (p *Profile) Procedures(ctx context.Context, q ProcedureQuery) (*ProcedurePage, error) {
	plan := p.Overview.plan(&q.Selection)
	all, err := p.procedureRows(ctx, plan, q.Range)
	if err != nil {
		return nil, err
	}
	o, err := stored.Cached(ctx, p.Profile,
		query.CacheKey("dcpi procedure order", plan.key, q.Unit, q.Range, q.Text, q.Regexp, q.Sort),
		func() (*procedureOrder, int64, error) {
			o, err := p.newProcedureOrder(ctx, plan, all, &q)
			if err != nil {
				return nil, 0, err
			}
			return o, int64(len(o.rows))*8 + 64, nil
		})
	if err != nil {
		return nil, err
	}
	page := &ProcedurePage{
		Columns: plan.columns, Hidden: plan.hidden, All: len(all), Matching: len(o.rows), Totals: o.totals,
	}
	from, to := query.Clamp(q.Offset, q.Limit, len(o.rows))
	page.Rows = make([]ProcedureRow, 0, to-from)
	sum := 0.0
	for i, row := range o.rows[:to] {
		main := &plan.columns[o.main]
		if sum += row.Cells[o.main].Value(main.adding()); i >= from {
			page.Rows = append(page.Rows, ProcedureRow{*row, main.share(sum)})
		}
	}
	return page, nil
}

// procedureOrder is the rows of a filter in an order. It is immutable.
type procedureOrder struct {
	rows   []*Row
	main   int // column that shares add up in
	totals []Cell
}

func (p *Profile) newProcedureOrder(ctx context.Context, plan *plan, all []*Row, q *ProcedureQuery) (*procedureOrder,
	error) {
	keys := q.Sort
	if len(keys) == 0 {
		keys = usual
	}
	main := -1
	for _, key := range keys {
		column, err := plan.sortBy(key.Column, rowWords...)
		if err != nil {
			return nil, err
		}
		if main < 0 {
			main = column
		}
	}
	rows, err := named(all, q.Text, q.Regexp)
	if err != nil {
		return nil, err
	}
	o := &procedureOrder{main: max(main, 0), totals: make([]Cell, len(plan.columns))}
	for _, row := range rows {
		row.addTo(o.totals)
	}
	o.rows, err = sorted(ctx, rows, slices.Concat(keys, ties), func(by query.Column) (query.Value, error) {
		return p.rowValue(plan, rows, by)
	})
	return o, err
}

// named are the rows of procedures whose names match, or all rows.
func named(rows []*Row, text, regexp string) ([]*Row, error) {
	matcher, err := names.NewMatcher(text, regexp)
	if err != nil || text == "" && regexp == "" {
		return rows, err
	}
	var found []*Row
	for _, row := range rows {
		if row.Kind == RowProcedure && matcher.Match([]byte(row.Name)) {
			found = append(found, row)
		}
	}
	return found, nil
}

// rowWords are what rows can be sorted by that is not a column.
var rowWords = []query.Column{ColName, ColImage, ColAddress}

// rowValue is a column of rows for sorting. Those that are alike in the unit of a
// column, having events or seconds, are told apart by their samples.
func (p *Profile) rowValue(plan *plan, rows []*Row, by query.Column) (query.Value, error) {
	column, err := plan.sortBy(by, rowWords...)
	switch {
	case err != nil || len(rows) == 0:
		return query.Value{}, err
	case column >= 0:
		cell := func(i uint32) *Cell { return &rows[i].Cells[column] }
		unit := plan.columns[column].Unit
		if unit == UnitSamples {
			return query.Value{At: func(i uint32) uint64 { return cell(i).Samples }}, nil
		}
		return query.Ranked(len(rows), func(a, b uint32) int {
			return cmp.Or(cmp.Compare(cell(a).Value(unit), cell(b).Value(unit)), cmp.Compare(cell(a).Samples, cell(b).Samples))
		}), nil
	case by == ColName:
		return query.Words(len(rows), func(i uint32) string { return rows[i].Name }), nil
	case by == ColAddress:
		return query.Value{At: func(i uint32) uint64 { return rows[i].Address }}, nil
	}
	images := p.Overview.Images
	label := query.Ranked(len(images), func(a, b uint32) int {
		return cmp.Or(cmp.Compare(images[a].Label, images[b].Label), cmp.Compare(a, b))
	})
	return query.Value{At: func(i uint32) uint64 { return label.At(uint32(rows[i].Image)) }}, nil
}
