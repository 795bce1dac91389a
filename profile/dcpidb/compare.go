package dcpidb

import (
	"context"
	"hash/maphash"
	"slices"

	"proflens/analyze"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// CompareQuery says what of two databases is compared: the procedures that one event
// was sampled in or, with an image, its addresses.
type CompareQuery struct {
	Event     string // empty is the first that both have
	Image     string // label
	Procedure string // of the image: its addresses, counted from its start
}

// ComparedRow is a procedure, or an address, in both databases.
type ComparedRow struct {
	table.State `col:"state" width:"12" head:"What changed"`
	Image       string `col:"image" width:"16" is:"sort,up,key" help:"program, library or kernel"`
	_           column `col:"procedure" width:"32" is:"key,script"`
	// none of addresses without one
	Name                      table.Label `col:"name" head:"Procedure" is:"page,sort,up,words"`
	Kind                      RowKind
	table.Move                `col:"change" width:"9" is:"part"`
	table.Sides[ComparedCell] `pair:"share,samples,events,address,offset,size"`
}

// ComparedCell is what one database has of it.
type ComparedCell struct {
	Share   float64 `col:"share" width:"10" is:"part,script"` // of the unit that shares are of
	Samples uint64  `col:"samples" width:"12" is:"sort,range" change:"samples_change"`
	Events  Amount  `col:"events" width:"14" is:"sort" help:"samples times the sampling period"`
	Address uint64  `col:"address" width:"12" is:"address,sort,up,key"`
	Offset  uint64  `col:"offset" width:"10" is:"address,sort,up" help:"from the start of its procedure or image"`
	Size    uint64  `col:"size" width:"9" is:"plain,omitzero,sort,range" help:"in bytes, where it is known"`
	Cell
}

// Cell implements [table.Celler].
func (r *ComparedRow) Cell(string, *table.Options) table.Cell {
	if r.Kind != RowProcedure {
		return table.Null
	}
	return table.Text(string(r.Name))
}

// Compared is the table of procedures in two databases, or of addresses: see
// [CompareQuery.Declared].
var Compared = table.Declare[ComparedRow](table.Declaration{
	About: "A procedure, or an address, in two databases.", Noun: "procedure", All: true,
	Usual: "-abs_change", Show: "name image change base test base_samples test_samples state",
	Text:   "change base_share test_share base_samples test_samples state image procedure base_address",
	States: comparedStates(),
})

func comparedStates() []table.StateWord {
	list := slices.Clone(table.States)
	list[1].Label, list[1].Tag, list[1].Title = "size changed", "size changed", "the procedure's size in bytes differs"
	return list
}

// Comparison is two databases side by side, by shares of the samples of an event.
type Comparison struct {
	*table.Moves[*ComparedRow]
	Event      string
	Events     []string // that both have
	Unit       Unit     // that shares are of: events where periods differ within a database
	Base, Test Cell     // totals
	Overlap    float64  // the sum of the smaller shares
}

// CommonEvents are the events that both databases have, in the order of the base.
func CommonEvents(base, test *Profile) (events []string) {
	for _, event := range base.Overview.Events {
		if has(test.Overview.Events, event) {
			events = append(events, event)
		}
	}
	return events
}

// Compare compares two databases. Images are matched by their labels, procedures by
// name, and ranges and addresses by where they are in their image or procedure. The
// error is stored.ErrNoPart where they have no event in common, or no such image or
// procedure; the context's; or about the files.
func Compare(ctx context.Context, base, test *Profile, q CompareQuery) (*Comparison, error) {
	c := &Comparison{Unit: UnitSamples, Events: CommonEvents(base, test)}
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

// Declared is the table of the comparison: of addresses where it is of an image.
func (q *CompareQuery) Declared() *table.Declaration {
	d := *Compared
	if q.Image != "" {
		d.Noun, d.Nouns = "address", "addresses"
		d.Show = "name change base test base_samples test_samples state"
	}
	return &d
}

// comparedThing is what one database has of a thing.
type comparedThing struct {
	what ComparedRow
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
	for i, total := range []*Cell{&c.Base, &c.Test} {
		for n := range sides[i] {
			t := &sides[i][n]
			if whole := total.Value(c.Unit); whole > 0 {
				t.Share = t.Cell.Value(c.Unit) / whole
			}
			t.Samples, t.Events = t.Cell.Samples, Amount{t.Cell.Events, UnitEvents}
		}
	}
	rows := table.Pairs(sides[0], sides[1], func(t *comparedThing) analyze.Keyed {
		key := maphash.Comparable(seed, [3]any{t.what.Image, t.what.Name, t.what.Kind})
		return analyze.Keyed{Key: key ^ t.n*0x9e3779b97f4a7c15, Fine: t.Size}
	}, func(both table.Sides[comparedThing]) *ComparedRow {
		row := both.Any().what
		row.State, row.Move = both.State(), both.Move(func(t *comparedThing) float64 { return t.Share })
		if both.Base != nil {
			row.Base = &both.Base.ComparedCell
		}
		if both.Test != nil {
			row.Test = &both.Test.ComparedCell
		}
		if b, t := row.Base, row.Test; b != nil && t != nil && b.Size != t.Size && b.Size > 0 && t.Size > 0 {
			row.State = table.Changed
		}
		return &row
	})
	for _, row := range rows {
		c.Overlap += min(row.InBase, row.InTest)
	}
	c.Moves = table.NewMoves(Compared, rows)
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
			what:         ComparedRow{Kind: row.Kind, Image: row.In.Label, Name: table.Label(row.Label())},
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
			what: ComparedRow{Image: q.Image}, ComparedCell: ComparedCell{Address: address, Offset: offset},
		}
		if n, ok := symbols.Find(address); ok {
			s, _ := symbols.At(n)
			t.what.Kind, t.what.Name = RowProcedure, table.Label(s.Name)
			if q.Procedure != "" {
				t.Offset = address - s.Address
			}
		}
		if q.Procedure != "" && string(t.what.Name) != q.Procedure {
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
