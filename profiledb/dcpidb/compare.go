package dcpidb

import (
	"context"
	"hash/maphash"

	"proflens/analyze"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// CompareQuery says what of two databases is compared: the procedures that one event
// was sampled in or, with an image, its addresses.
type CompareQuery struct {
	Event     string // empty is the first that both have
	Image     string // label
	Procedure string // of the image: its addresses, counted from its start
}

// ComparedRow is a procedure, or an address, in both databases; what one does not have
// is zero there.
type ComparedRow struct {
	Kind       RowKind
	Image      string // label
	Name       string // of the procedure; empty of addresses without one
	Base, Test ComparedCell
}

// ComparedCell is what one database has of it.
type ComparedCell struct {
	Address, Offset uint64 // Offset is that of an address, from the start of its procedure or image
	Size            uint64 // bytes; 0 where it is not known
	Cell
}

// Comparison is two databases side by side, by shares of the samples of an event.
type Comparison struct {
	*query.Moves[ComparedRow]
	Event      string
	Events     []string // that both have
	Unit       Unit     // that shares are of: events where periods differ within a database
	Base, Test Cell     // totals
	Overlap    float64  // the sum of the smaller shares
}

// Compare compares two databases. Images are matched by their labels, procedures by
// name, and ranges and addresses by where they are in their image or procedure. The
// error is stored.ErrNoPart where they have no event in common, or no such image or
// procedure; the context's; or about the files.
func Compare(ctx context.Context, base, test *Profile, q CompareQuery) (*Comparison, error) {
	c := &Comparison{Unit: UnitSamples}
	for _, event := range base.Overview.Events {
		if has(test.Overview.Events, event) {
			c.Events = append(c.Events, event)
		}
	}
	if len(c.Events) == 0 || q.Event != "" && !has(c.Events, q.Event) {
		return nil, stored.ErrNoPart
	}
	if c.Event = q.Event; c.Event == "" {
		c.Event = c.Events[0]
	}
	key := query.CacheKey("dcpi compared", test.ID(), c.Event, q.Image, q.Procedure)
	return stored.Cached(ctx, base.Profile, key, func() (*Comparison, int64, error) {
		err := c.fill(ctx, base, test, &q)
		return c, 1024 + int64(c.len())*256, err
	})
}

func (c *Comparison) len() int {
	if c.Moves == nil {
		return 0
	}
	return c.Len()
}

// comparedThing is what one database has of a thing.
type comparedThing struct {
	ComparedRow
	ComparedCell
	n uint64 // tells things of one name apart
}

func (c *Comparison) fill(ctx context.Context, base, test *Profile, q *CompareQuery) error {
	var sides [2][]comparedThing
	var plans [2]*plan
	for i, p := range []*Profile{base, test} {
		plans[i] = p.Overview.plan(&Selection{Events: []string{c.Event}})
		if plans[i].columns[0].Unit == UnitEvents {
			c.Unit = UnitEvents
		}
		var err error
		if q.Image == "" {
			sides[i], err = p.comparedProcedures(ctx, plans[i])
		} else {
			sides[i], err = p.comparedAddresses(ctx, plans[i], q)
		}
		if err != nil {
			return err
		}
	}
	if len(sides[0]) == 0 && len(sides[1]) == 0 {
		return stored.ErrNoPart
	}
	c.Base, c.Test = plans[0].columns[0].Total, plans[1].columns[0].Total
	seed := maphash.MakeSeed()
	share := func(cell, total *Cell) float64 {
		if whole := total.Value(c.Unit); whole > 0 {
			return cell.Value(c.Unit) / whole
		}
		return 0
	}
	moves := query.PairMoves(sides[0], sides[1], func(t *comparedThing) analyze.Keyed {
		key := maphash.Comparable(seed, [3]any{t.Image, t.Name, t.Kind})
		return analyze.Keyed{Key: key ^ t.n*0x9e3779b97f4a7c15, Fine: t.Size}
	}, func(b, t *comparedThing) query.Move[ComparedRow] {
		var row ComparedRow
		state := query.MoveMatched
		switch {
		case b == nil:
			row, state = t.ComparedRow, query.MoveOnlyTest
		case t == nil:
			row, state = b.ComparedRow, query.MoveOnlyBase
		default:
			if row = b.ComparedRow; b.Size != t.Size && b.Size > 0 && t.Size > 0 {
				state = query.MoveChanged
			}
		}
		if b != nil {
			row.Base = b.ComparedCell
		}
		if t != nil {
			row.Test = t.ComparedCell
		}
		return query.NewMove(row, []byte(row.Name), state, share(&row.Base.Cell, &c.Base), share(&row.Test.Cell, &c.Test))
	})
	for i := range moves {
		c.Overlap += min(moves[i].Base, moves[i].Test)
	}
	c.Moves = query.NewMoves(moves, nil)
	return ctx.Err()
}

// comparedProcedures are the procedures of a plan, those of images that are called
// alike combined.
func (p *Profile) comparedProcedures(ctx context.Context, plan *plan) ([]comparedThing, error) {
	rows, err := p.procedureRows(ctx, plan, 0)
	if err != nil {
		return nil, err
	}
	var list []comparedThing
	for _, row := range p.Overview.byLabel(rows) {
		list = append(list, comparedThing{
			ComparedRow:  ComparedRow{Kind: row.Kind, Image: row.In.Label, Name: row.Label()},
			ComparedCell: ComparedCell{Address: row.Address, Size: row.Size, Cell: row.Cells[0]}, n: row.key.n,
		})
	}
	return list, nil
}

// comparedAddresses are the addresses with samples of an image, or of a procedure.
func (p *Profile) comparedAddresses(ctx context.Context, plan *plan, q *CompareQuery) ([]comparedThing, error) {
	m, err := p.matrix(ctx, plan)
	if err != nil {
		return nil, err
	}
	var list []comparedThing
	known := map[uint64]int{} // by offset: images that are called alike are combined
	for i := range uint32(m.len()) {
		if i%stored.CheckEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		image, offset, address := m.place(i)
		if p.Overview.Images[image].Label != q.Image {
			continue
		}
		symbols, err := p.procedures(ctx, image, plan.shift)
		if err != nil {
			return nil, err
		}
		t := comparedThing{
			ComparedRow: ComparedRow{Image: q.Image}, ComparedCell: ComparedCell{Address: address, Offset: offset},
		}
		if n, ok := symbols.Find(address); ok {
			s, _ := symbols.At(n)
			t.Kind, t.Name = RowProcedure, s.Name
			if q.Procedure != "" {
				t.Offset = address - s.Address
			}
		}
		if q.Procedure != "" && t.Name != q.Procedure {
			continue
		}
		at, ok := known[t.Offset]
		if !ok {
			at = len(list)
			known[t.Offset] = at
			list = append(list, t)
		}
		cell := m.cell(i, 0)
		list[at].Cell.Add(&cell)
		list[at].n = t.Offset + 1
	}
	return list, nil
}
