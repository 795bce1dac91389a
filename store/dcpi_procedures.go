package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"proflens/names"
)

// DCPIRowKind says what a row of the table of procedures is.
type DCPIRowKind string

// The kinds of rows.
const (
	RowProcedure DCPIRowKind = "procedure"
	RowRange     DCPIRowKind = "range" // of addresses, in an image whose procedures are not known
	RowNone      DCPIRowKind = "none"  // samples outside all procedures of an image
)

// DefaultDCPIRange is how many bytes a row has in an image without symbols.
const DefaultDCPIRange = 1024

// DCPIRow is a procedure, or what stands in for one, with its samples.
type DCPIRow struct {
	Kind    DCPIRowKind
	Name    string // of a procedure
	Image   int    // in DCPIOverview.Images
	Address uint64
	Size    uint64     // bytes; 0: not known, and of samples outside all procedures
	Cells   []DCPICell // by column

	group int // rows of one group and key are one procedure
	key   rowKey
}

// rowKey tells procedures apart that are called alike: the how many-eth of its
// name, by address, or for a range its offset.
type rowKey struct {
	kind DCPIRowKind
	name string
	n    uint64
}

// Label names the row for people; empty outside all procedures.
func (r *DCPIRow) Label() string {
	if r.Kind == RowRange {
		return fmt.Sprintf("0x%x–0x%x", r.Address, r.Address+r.Size-1)
	}
	return r.Name
}

// DCPISortKey is a column of an order: the name of a column, or samples for the
// first of them, name, image, address; columns of the table come after those
// words.
type DCPISortKey struct {
	Column string
	Desc   bool
}

// ProcedureQuery selects, orders and pages procedures.
type ProcedureQuery struct {
	DCPISelection
	Text, Regexp string // over the name
	Range        uint64 // bytes of a row in images without symbols; 0 is DefaultDCPIRange
	Sort         []DCPISortKey
	Offset       int
	Limit        int
}

// ProcedurePage is one page of a query.
type ProcedurePage struct {
	Columns  []DCPIColumn
	Hidden   int // columns that are left out, being too many
	Rows     []ProcedureRow
	All      int        // procedures with samples
	Matching int        // that match
	Totals   []DCPICell // of those that match, by column
}

// ProcedureRow is a row in an order.
type ProcedureRow struct {
	DCPIRow
	Cum float64 // share of the ordering column that this row and those before it hold
}

// DCPIColumnError is returned for a column that a table of samples does not have.
type DCPIColumnError struct {
	Column string
	Known  []string
}

// Error names the column and those that there are.
func (e *DCPIColumnError) Error() string {
	return fmt.Sprintf("%q cannot be sorted by; a list of %s is right, each with - in front to descend", e.Column, strings.Join(e.Known, ", "))
}

// Procedures returns one page of the procedures that a selection has samples of.
// Samples outside all procedures are a row of each image, and images whose
// procedures are not known have ranges of addresses: columns add up to what the
// profiles hold. The order is by the first column, descending, and then by name.
//
// Errors are ErrNotFound for a profile of another family, a DCPIColumnError, that
// of names.NewMatcher for a pattern, the context's, or about the file.
func (p *Profile) Procedures(ctx context.Context, q ProcedureQuery) (*ProcedurePage, error) {
	plan, err := p.plan(ctx, &q.DCPISelection)
	if err != nil {
		return nil, err
	}
	page := &ProcedurePage{Columns: plan.columns, Hidden: plan.hidden}
	rows, err := p.procedureRows(ctx, plan, q.Range, q.Shift)
	if err != nil {
		return nil, err
	}
	page.All = len(rows)
	by, err := orderOf(plan, q.Sort)
	if err != nil {
		return nil, err
	}
	v, err := p.cached(ctx, cacheWords("dcpi procedure order", plan.key, q.Unit, q.Range, q.Text, q.Regexp, q.Sort), func() (any, int64, error) {
		matcher, err := names.NewMatcher(q.Text, q.Regexp)
		if err != nil {
			return nil, 0, err
		}
		o := &procedureOrder{rows: make([]*DCPIRow, 0, len(rows)), totals: make([]DCPICell, len(plan.columns))}
		for n, row := range rows {
			if n%checkEvery == 0 && ctx.Err() != nil {
				return nil, 0, ctx.Err()
			}
			if (q.Text == "" && q.Regexp == "") || row.Kind == RowProcedure && matcher.Match([]byte(row.Name)) {
				o.rows = append(o.rows, row)
				for i := range row.Cells {
					o.totals[i].Add(&row.Cells[i])
				}
			}
		}
		slices.SortStableFunc(o.rows, by.compare)
		return o, int64(len(o.rows))*8 + 64, nil
	})
	if err != nil {
		return nil, err
	}
	o := v.(*procedureOrder)
	page.Matching, page.Totals = len(o.rows), o.totals
	from, to := clamp(q.Offset, q.Limit, len(o.rows))
	page.Rows = by.cumulated(o.rows, from, to)
	return page, nil
}

// procedureOrder is the rows of a filter in an order. It is immutable.
type procedureOrder struct {
	rows   []*DCPIRow
	totals []DCPICell
}

// rowOrder compares rows by the keys of a sort.
type rowOrder struct {
	plan *dcpiPlan
	keys []rowOrderKey
	main int // column that shares add up in; -1 without columns
}

type rowOrderKey struct {
	word   string
	column int // -1: word is name, image or address
	desc   bool
}

func orderOf(plan *dcpiPlan, sort []DCPISortKey) (*rowOrder, error) {
	o := &rowOrder{plan: plan, main: min(0, len(plan.columns)-1)}
	if len(sort) == 0 {
		sort = []DCPISortKey{{"samples", true}}
	}
	known := []string{"samples", "name", "image", "address"}
	for _, c := range plan.columns {
		known = append(known, c.Name)
	}
	first := true
	for _, key := range sort {
		i := slices.Index(known, key.Column)
		switch {
		case i < 0:
			return nil, &DCPIColumnError{key.Column, known}
		case i >= 1 && i <= 3:
			o.keys = append(o.keys, rowOrderKey{key.Column, -1, key.Desc})
			continue
		case len(plan.columns) == 0:
			continue
		}
		column := max(i-4, 0)
		o.keys = append(o.keys, rowOrderKey{"", column, key.Desc})
		if first {
			o.main, first = column, false
		}
	}
	for _, word := range []string{"name", "image", "address"} {
		o.keys = append(o.keys, rowOrderKey{word, -1, false})
	}
	return o, nil
}

func (o *rowOrder) compare(a, b *DCPIRow) int {
	for _, key := range o.keys {
		order := 0
		switch {
		case key.column >= 0:
			unit := o.plan.columns[key.column].Unit
			if order = cmp.Compare(a.Cells[key.column].Value(unit), b.Cells[key.column].Value(unit)); order == 0 {
				order = cmp.Compare(a.Cells[key.column].Samples, b.Cells[key.column].Samples)
			}
		case key.word == "name":
			order = cmp.Compare(a.Name, b.Name)
		case key.word == "image":
			order = cmp.Or(cmp.Compare(o.plan.o.Images[a.Image].Label, o.plan.o.Images[b.Image].Label), cmp.Compare(a.Image, b.Image))
		default:
			order = cmp.Compare(a.Address, b.Address)
		}
		if key.desc {
			order = -order
		}
		if order != 0 {
			return order
		}
	}
	return 0
}

// cumulated is part of an order with the shares that add up in it.
func (o *rowOrder) cumulated(rows []*DCPIRow, from, to int) []ProcedureRow {
	list := make([]ProcedureRow, 0, to-from)
	if o.main < 0 {
		return list
	}
	c := &o.plan.columns[o.main]
	unit, total := c.Unit, c.Total.Value(c.Unit)
	if c.NoTime {
		unit, total = UnitSamples, float64(c.Total.Samples)
	}
	sum := 0.0
	for i, row := range rows[:to] {
		sum += row.Cells[o.main].Value(unit)
		if i >= from {
			r := ProcedureRow{DCPIRow: *row}
			if total > 0 {
				r.Cum = min(sum/total, 1)
			}
			list = append(list, r)
		}
	}
	return list
}
