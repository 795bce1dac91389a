package dcpidb

import (
	"context"

	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// AddressQuery selects, orders and pages addresses with samples.
type AddressQuery struct {
	Selection
	From, To uint64      // addresses, both inclusive; To 0 is no end
	Text     string      // over the procedure's name
	Sort     []query.Key // by ColSamples, ColAddress, ColImage or columns; empty is samples, descending
	Offset   int
	Limit    int
}

// AddressPage is one page of a query.
type AddressPage struct {
	Columns  []Column
	Hidden   int // columns that are left out, being too many
	Rows     []AddressRow
	All      int    // addresses with samples
	Matching int    // in the range, and in procedures whose names match
	Totals   []Cell // of those, by column
}

// AddressRow is an address with its samples.
type AddressRow struct {
	Image           int // in Overview.Images
	Address, Offset uint64
	Procedure       string // that covers it
	HasProcedure    bool
	Inside          uint64 // bytes from the procedure's start
	Cells           []Cell
	Cum             float64 // share of the ordering column that this row and those before it hold
}

// Addresses returns one page of the addresses that a selection has samples at;
// those with the most in the first column first, and of equal ones the lower.
//
// Errors are a *query.ColumnError, the context's, or about the file.
func (p *Profile) Addresses(ctx context.Context, q AddressQuery) (*AddressPage, error) {
	plan := p.Overview.plan(&q.Selection)
	m, err := p.matrix(ctx, plan)
	if err != nil {
		return nil, err
	}
	o, err := stored.Cached(ctx, p.Profile,
		query.CacheKey("dcpi address order", plan.key, q.Unit, q.From, q.To, q.Text, q.Sort),
		func() (*addressOrder, int64, error) {
			o, err := p.newAddressOrder(ctx, plan, m, &q)
			if err != nil {
				return nil, 0, err
			}
			return o, int64(len(o.ids))*4 + int64(len(o.cum))*8, nil
		})
	if err != nil {
		return nil, err
	}
	page := &AddressPage{Columns: plan.columns, Hidden: plan.hidden, All: m.len(), Matching: len(o.ids), Totals: o.totals}
	from, to := query.Clamp(q.Offset, q.Limit, len(o.ids))
	page.Rows, err = p.addressRows(ctx, plan, m, o, from, to)
	return page, err
}

// addressOrder is the addresses of a range in an order. It is immutable.
type addressOrder struct {
	ids    []uint32
	main   int       // column that shares add up in
	unit   Unit      // of those
	cum    []float64 // of the main column, after each cumEvery ids
	totals []Cell
}

// cumEvery is how many rows share a running sum.
const cumEvery = 1024

func (p *Profile) newAddressOrder(ctx context.Context, plan *plan, m *matrix, q *AddressQuery) (*addressOrder, error) {
	o := &addressOrder{totals: make([]Cell, len(plan.columns))}
	var within []query.Test
	if q.From != 0 || q.To != 0 {
		within = []query.Test{func(i uint32) bool {
			_, _, address := m.place(i)
			return address >= q.From && (q.To == 0 || address <= q.To)
		}}
	}
	if q.Text != "" {
		named, err := p.inNamed(ctx, plan, m, q.Text)
		if err != nil {
			return nil, err
		}
		within = append(within, named)
	}
	o.ids = query.Select(m.len(), nil, within)
	for _, i := range o.ids {
		m.add(i, o.totals)
	}
	keys := q.Sort
	if len(keys) == 0 {
		keys = usual
	}
	// They stand by image and offset: so they do where they are alike.
	err := query.Sort(ctx, o.ids, keys, func(by query.Column) (query.Value, error) { return o.value(plan, m, by) })
	if err != nil || len(o.ids) == 0 {
		return o, err
	}
	o.unit = plan.columns[o.main].adding()
	sum := 0.0
	for n, id := range o.ids {
		if n%cumEvery == 0 {
			o.cum = append(o.cum, sum)
		}
		sum += o.one(m, id)
	}
	return o, nil
}

// value is a column for sorting. The last of the plan's that it is asked for is
// the main one: query.Sort begins with the key that counts least.
func (o *addressOrder) value(plan *plan, m *matrix, by query.Column) (query.Value, error) {
	column, err := plan.sortBy(by, ColAddress, ColImage)
	switch {
	case err != nil || len(o.ids) == 0:
		return query.Value{}, err
	case column < 0 && by == ColAddress:
		return query.Value{At: func(i uint32) uint64 { _, _, address := m.place(i); return address }}, nil
	case column < 0:
		return query.Value{At: func(i uint32) uint64 { image, _, _ := m.place(i); return uint64(image) }}, nil
	}
	o.main = column
	unit := plan.columns[column].Unit
	if unit == UnitSamples {
		return query.Value{At: func(i uint32) uint64 { return m.cell(i, column).Samples }}, nil
	}
	return query.Real(func(i uint32) float64 { cell := m.cell(i, column); return cell.Value(unit) }), nil
}

// one is what an address adds to the shares.
func (o *addressOrder) one(m *matrix, id uint32) float64 {
	cell := m.cell(id, o.main)
	return cell.Value(o.unit)
}

func (p *Profile) addressRows(ctx context.Context, plan *plan, m *matrix, o *addressOrder, from, to int) ([]AddressRow,
	error) {
	rows := make([]AddressRow, 0, to-from)
	if from == to {
		return rows, nil
	}
	sum := o.cum[from/cumEvery]
	for n := from - from%cumEvery; n < to; n++ {
		id := o.ids[n]
		if sum += o.one(m, id); n < from {
			continue
		}
		image, offset, address := m.place(id)
		row := AddressRow{
			Image: image, Offset: offset, Address: address, Cells: make([]Cell, len(plan.columns)),
			Cum: plan.columns[o.main].share(sum),
		}
		m.add(id, row.Cells)
		symbols, err := p.procedures(ctx, image, plan.shift)
		if err != nil {
			return nil, err
		}
		if i, ok := symbols.Find(address); ok {
			s, _ := symbols.At(i)
			row.Procedure, row.HasProcedure, row.Inside = s.Name, true, address-s.Address
		}
		rows = append(rows, row)
	}
	return rows, nil
}
