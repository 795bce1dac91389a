package dcpidb

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// AddressRow is an address with its samples.
type AddressRow struct {
	Rank      int     `col:"rank" head:"#" is:"page"`
	_         column  `col:"row" is:"key,page,script"`
	Address   uint64  `col:"address" width:"18" is:"address,sort,up"`
	Image     int     // in Overview.Images, In the same
	In        *Image  `col:"image" head:"Image" parts:"image,image_id" is:"sort,up" as:"!"`
	Offset    uint64  `col:"offset" width:"10" help:"in the image"`
	_         column  `col:"procedure" width:"24" is:"words" help:"that covers it"`
	_         column  `col:"procedure_offset" width:"16" is:"number" help:"bytes from its start"`
	Source    Place   `col:"source" head:"Source" help:"the line that it was compiled from"`
	Cum       float64 `col:"cum_share" width:"9" head:"Cum. %" is:"part"`
	_         column  `help:"of the column that orders: this row and those above"`
	_         column  `col:"samples" is:"sort,range,number,page,script"`
	Procedure string  // that covers it
	// HasProcedure is set where one does; Inside is bytes from its start.
	HasProcedure bool
	Inside       uint64
	Cells        []Cell
}

// Cell implements [table.Celler].
func (r *AddressRow) Cell(column string, _ *table.Options) table.Cell {
	switch {
	case column == "row":
		return table.Text(fmt.Sprintf("%s:0x%x", r.In.Key, r.Address))
	case column == "samples":
		return table.Count(r.Cells[0].Samples)
	case !r.HasProcedure:
		return table.Null
	case column == "procedure":
		return table.Text(r.Procedure)
	}
	return table.Count(r.Inside)
}

// Figures implements [Figured].
func (r *AddressRow) Figures() []Cell { return r.Cells }

// Addresses is the table of addresses.
var Addresses = table.Declare[AddressRow](table.Declaration{
	Others: "DCPIFigure", Around: (*Around)(nil),
	About: "An address with samples, and two members per column.",
	Noun:  "address", Nouns: "addresses", All: true, Sought: "procedure",
	Show: "rank address procedure source image * cum_share",
})

// FindAddresses finds the addresses from one to another, both inclusive, that a selection
// has samples at; 0 is no end. Those with the most in the first column come first, and of
// equal ones the lower. They are as many as there are instructions: only those of a page
// are made.
func (p *Profile) FindAddresses(ctx context.Context, s Selection,
	first, last uint64) (*table.Declaration, table.Find, error) {
	plan := p.Overview.plan(&s)
	m, err := p.matrix(ctx, plan)
	if err != nil {
		return nil, nil, err
	}
	places, err := p.places(ctx)
	if err != nil {
		return nil, nil, err
	}
	d := plan.declare(p.Overview.telling(Addresses, places), true)
	return d, func(ctx context.Context, q table.Query) (table.Page, error) {
		main := plan.ask(&q)
		o, err := stored.Cached(ctx, p.Profile, query.CacheKey("dcpi address order", plan.key, s.Unit, first, last, q.Key()),
			func() (*addressOrder, int64, error) {
				o, err := p.newAddressOrder(ctx, plan, m, main, first, last, &q)
				if err != nil {
					return nil, 0, err
				}
				return o, int64(len(o.ids))*4 + int64(len(o.cum))*8, nil
			})
		if err != nil {
			return table.Page{}, err
		}
		around := plan.around()
		around.Totals = o.totals
		page := table.Page{All: m.len(), Matching: len(o.ids)}
		from, to := query.Clamp(q.Offset, q.Limit, len(o.ids))
		rows, err := p.addressRows(ctx, plan, m, o, from, to)
		page.Set = table.Set{Rows: rows, Around: around}
		return page, err
	}, nil
}

// AddressQuery asks for addresses without a table around them.
type AddressQuery struct {
	Selection
	From, To uint64 // as in FindAddresses
	Sort     []query.Key
	Limit    int
}

// AddressPage is the first of them.
type AddressPage struct {
	Around
	Rows     []AddressRow
	Matching int
}

// Addresses are those of FindAddresses.
func (p *Profile) Addresses(ctx context.Context, q AddressQuery) (*AddressPage, error) {
	_, find, err := p.FindAddresses(ctx, q.Selection, q.From, q.To)
	if err != nil {
		return nil, err
	}
	page, err := find(ctx, table.Query{RowQuery: query.RowQuery{Sort: q.Sort, Limit: q.Limit}})
	if err != nil {
		return nil, err
	}
	return &AddressPage{*page.Around.(*Around), page.Rows.([]AddressRow), page.Matching}, nil
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

func (p *Profile) newAddressOrder(ctx context.Context, plan *plan, m *matrix, main int, first, last uint64,
	q *table.Query) (*addressOrder, error) {
	o := &addressOrder{main: main, totals: make([]Cell, len(plan.columns))}
	var within []query.Test
	if first != 0 || last != 0 {
		within = append(within, func(i uint32) bool {
			_, _, address := m.place(i)
			return address >= first && (last == 0 || address <= last)
		})
	}
	for _, r := range q.Ranges {
		within = append(within, query.Value{At: func(i uint32) uint64 { return m.cell(i, 0).Samples }}.In(r.Min, r.Max))
	}
	if q.Text+q.Regexp != "" {
		named, err := p.inNamed(ctx, plan, m, q.Text, q.Regexp)
		if err != nil {
			return nil, err
		}
		within = append(within, named)
	}
	o.ids = query.Select(m.len(), nil, within)
	for _, i := range o.ids {
		m.add(i, o.totals)
	}
	if len(o.ids) == 0 {
		return o, nil
	}
	keys := q.Sort
	if len(keys) == 0 {
		keys = []query.Key{{Column: query.Column(plan.columns[0].Key), Desc: true}}
	}
	// They stand by image and offset: so they do where they are alike.
	err := query.Sort(ctx, o.ids, keys, func(by query.Column) (query.Value, error) { return m.value(plan, by), nil })
	if err != nil {
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

// value is a column for sorting.
func (m *matrix) value(plan *plan, by query.Column) query.Value {
	column := slices.IndexFunc(plan.columns, func(c Column) bool { return query.Column(c.Key) == by })
	switch {
	case column < 0 && by == ColAddress:
		return query.Value{At: func(i uint32) uint64 { _, _, address := m.place(i); return address }}
	case column < 0 && by == ColImage:
		return query.Value{At: func(i uint32) uint64 { image, _, _ := m.place(i); return uint64(image) }}
	case column < 0: // events for cycles
		i, _ := strings.CutSuffix(string(by), RatioOf)
		column = max(0, slices.IndexFunc(plan.columns, func(c Column) bool { return c.Key == i }))
		return query.Real(func(i uint32) float64 {
			cycles, events := m.cell(i, 0), m.cell(i, column)
			return events.Events / max(cycles.Events, math.SmallestNonzeroFloat64)
		})
	}
	unit := plan.columns[column].Unit
	if unit == UnitSamples {
		return query.Value{At: func(i uint32) uint64 { return m.cell(i, column).Samples }}
	}
	return query.Real(func(i uint32) float64 { cell := m.cell(i, column); return cell.Value(unit) })
}

// one is what an address adds to the shares.
func (o *addressOrder) one(m *matrix, id uint32) float64 {
	cell := m.cell(id, o.main)
	return cell.Value(o.unit)
}

func (p *Profile) addressRows(ctx context.Context, plan *plan, m *matrix, o *addressOrder,
	from, to int) ([]AddressRow, error) {
	rows := make([]AddressRow, 0, to-from)
	if from == to {
		return rows, nil
	}
	places, err := p.places(ctx)
	if err != nil {
		return nil, err
	}
	sum := o.cum[from/cumEvery]
	for n := from - from%cumEvery; n < to; n++ {
		id := o.ids[n]
		if sum += o.one(m, id); n < from {
			continue
		}
		image, offset, address := m.place(id)
		row := AddressRow{
			Rank: n + 1, Image: image, In: &p.Overview.Images[image], Offset: offset, Address: address,
			Cells: make([]Cell, len(plan.columns)), Cum: plan.columns[o.main].share(sum),
		}
		m.add(id, row.Cells)
		row.Source.File, row.Source.Line = places.of(image, address)
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
