package store

import (
	"context"
	"slices"
)

// AddressQuery selects, orders and pages addresses with samples.
type AddressQuery struct {
	DCPISelection
	From, To uint64 // addresses, both inclusive; To 0 is no end
	Sort     []DCPISortKey
	Offset   int
	Limit    int
}

// AddressPage is one page of a query.
type AddressPage struct {
	Columns  []DCPIColumn
	Hidden   int // columns that are left out, being too many
	Rows     []AddressRow
	All      int        // addresses with samples
	Matching int        // in the range
	Totals   []DCPICell // of those, by column
}

// AddressRow is an address with its samples.
type AddressRow struct {
	Image           int // in DCPIOverview.Images
	Address, Offset uint64
	Procedure       string // that covers it
	HasProcedure    bool
	Inside          uint64 // bytes from the procedure's start
	Cells           []DCPICell
	Cum             float64 // share of the ordering column that this row and those before it hold
}

// Addresses returns one page of the addresses that a selection has samples at;
// those with the most in the first column first, and of equal ones the lower.
//
// Errors are ErrNotFound for a profile of another family, a DCPIColumnError, the
// context's, or about the file.
func (p *Profile) Addresses(ctx context.Context, q AddressQuery) (*AddressPage, error) {
	plan, err := p.plan(ctx, &q.DCPISelection)
	if err != nil {
		return nil, err
	}
	m, err := p.matrix(ctx, plan)
	if err != nil {
		return nil, err
	}
	page := &AddressPage{Columns: plan.columns, Hidden: plan.hidden, All: m.len()}
	// The matrix may be of another plan that differs in the unit alone.
	m = &dcpiMatrix{plan, m.column, m.starts, m.counts}
	order, err := p.addressOrder(ctx, m, &q)
	if err != nil {
		return nil, err
	}
	page.Matching, page.Totals = len(order.ids), order.totals
	from, to := clamp(q.Offset, q.Limit, len(order.ids))
	page.Rows, err = p.addressRows(ctx, m, order, from, to, q.Shift)
	return page, err
}

// addressOrder is the addresses of a range in an order. It is immutable.
type addressOrder struct {
	ids    []uint32
	main   int
	cum    []float64 // of the main column, after each cumEvery ids
	totals []DCPICell
}

// cumEvery is how many rows share a running sum.
const cumEvery = 1024

func (p *Profile) addressOrder(ctx context.Context, m *dcpiMatrix, q *AddressQuery) (*addressOrder, error) {
	v, err := p.cached(ctx, cacheWords("dcpi address order", m.plan.key, q.Unit, q.From, q.To, q.Sort), func() (any, int64, error) {
		o := &addressOrder{ids: []uint32{}, totals: make([]DCPICell, len(m.plan.columns))}
		all := q.From == 0 && q.To == 0
		for i := range uint32(m.len()) {
			image, offset := m.place(i)
			if address := m.plan.o.Images[image].Base + offset; !all && (address < q.From || q.To > 0 && address > q.To) {
				continue
			}
			o.ids = append(o.ids, i)
			for _, c := range m.at(i) {
				o.totals[m.column[c.profile]].add(uint64(c.count), &m.plan.o.Profiles[c.profile].DCPIRate)
			}
		}
		if err := o.sort(ctx, m, q.Sort); err != nil {
			return nil, 0, err
		}
		o.cumulate(m)
		return o, int64(len(o.ids))*4 + int64(len(o.cum))*8, nil
	})
	if err != nil {
		return nil, err
	}
	return v.(*addressOrder), nil
}

// sort orders ids, which stand by image and offset.
func (o *addressOrder) sort(ctx context.Context, m *dcpiMatrix, keys []DCPISortKey) error {
	if len(keys) == 0 {
		keys = []DCPISortKey{{"samples", true}}
	}
	known := []string{"samples", "address", "image"}
	for _, c := range m.plan.columns {
		known = append(known, c.Name)
	}
	for n := len(keys) - 1; n >= 0; n-- {
		if err := ctx.Err(); err != nil {
			return err
		}
		var value func(i uint32) uint64
		switch i := slices.Index(known, keys[n].Column); {
		case i < 0:
			return &DCPIColumnError{keys[n].Column, known}
		case len(o.ids) == 0 || len(m.plan.columns) == 0:
			continue
		case i == 1:
			value = func(id uint32) uint64 {
				image, offset := m.place(id)
				return m.plan.o.Images[image].Base + offset
			}
		case i == 2:
			value = func(id uint32) uint64 { image, _ := m.place(id); return uint64(image) }
		default:
			o.main = max(i-3, 0)
			column := o.main
			value = func(id uint32) uint64 { return m.value(id, column) }
		}
		if keys[n].Desc {
			sortBy(o.ids, func(id uint32) uint64 { return ^value(id) })
		} else {
			sortBy(o.ids, value)
		}
	}
	return nil
}

// shown is the unit in which column i adds up.
func (plan *dcpiPlan) shown(i int) DCPIUnit {
	if plan.columns[i].NoTime {
		return UnitSamples
	}
	return plan.columns[i].Unit
}

// one is the main column of an address.
func (o *addressOrder) one(m *dcpiMatrix, id uint32) float64 {
	var cell DCPICell
	for _, c := range m.at(id) {
		if int(m.column[c.profile]) == o.main {
			cell.add(uint64(c.count), &m.plan.o.Profiles[c.profile].DCPIRate)
		}
	}
	return cell.Value(m.plan.shown(o.main))
}

func (o *addressOrder) cumulate(m *dcpiMatrix) {
	sum := 0.0
	for n, id := range o.ids {
		if n%cumEvery == 0 {
			o.cum = append(o.cum, sum)
		}
		sum += o.one(m, id)
	}
}

func (p *Profile) addressRows(ctx context.Context, m *dcpiMatrix, o *addressOrder, from, to int, shift int64) ([]AddressRow, error) {
	rows := make([]AddressRow, 0, to-from)
	if from == to {
		return rows, nil
	}
	begin := from - from%cumEvery
	sum, total := o.cum[from/cumEvery], m.plan.columns[o.main].Total.Value(m.plan.shown(o.main))
	for n := begin; n < to; n++ {
		id := o.ids[n]
		if sum += o.one(m, id); n < from {
			continue
		}
		image, offset := m.place(id)
		row := AddressRow{Image: image, Offset: offset, Address: m.plan.o.Images[image].Base + offset, Cells: m.cells(id)}
		if total > 0 {
			row.Cum = min(sum/total, 1)
		}
		symbols, err := p.procedures(ctx, m.plan.o, image, shift)
		if err != nil {
			return nil, err
		}
		if i, ok := symbols.Find(row.Address); ok {
			s, _ := symbols.At(i)
			row.Procedure, row.HasProcedure, row.Inside = s.Name, true, row.Address-s.Address
		}
		rows = append(rows, row)
	}
	return rows, nil
}
