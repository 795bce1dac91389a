package instrdb

import (
	"bytes"
	"context"
	"slices"

	"proflens/analyze"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// PlacedFunction is a function of temporal traces at its place in their order.
type PlacedFunction struct {
	Place     int        `col:"place" width:"8" head:"#" is:"sort,up" help:"position in the order"`
	First     int        `col:"first" width:"8" head:"First position" is:"sort,up,range"`
	_         column     `help:"earliest position in any trace, from 0"`
	Traces    int        `col:"traces" width:"8" is:"sort,range" help:"that contain the function"`
	Max       uint64     `col:"max" width:"20" head:"Maximum" is:"sort,range"`
	_         column     `help:"largest counter; the bar has a log scale"`
	Function  table.Name `col:"name" head:"Function" is:"sort,up,words"`
	HasRecord bool       // without one Max is 0
}

// Order is the table of the functions of all traces, each once, in the order of
// [analyze.Order].
var Order = table.Declare[PlacedFunction](table.Declaration{
	Around: (*TraceSums)(nil), About: "A function and its place in the function order.",
	Noun: "function", Usual: "place",
	Show: "place name first traces max", Text: "place first traces fid demangled",
})

// FindPlaced finds among them. Errors of what it returns are a *query.ColumnError, that of
// names.NewMatcher for a pattern, the context's, or about the file.
func (p *Profile) FindPlaced(ctx context.Context) (table.Find, error) {
	sums, _, err := p.traceSums(ctx)
	return func(ctx context.Context, q table.Query) (table.Page, error) {
		page, err := p.placed(ctx, q.RowQuery)
		page.Around = sums
		return page, err
	}, err
}

func (p *Profile) placed(ctx context.Context, q query.RowQuery) (page table.Page, err error) {
	order, err := p.FunctionOrder(ctx)
	if err != nil {
		return page, err
	}
	ids, err := stored.Cached(ctx, p.Profile, "placed "+q.Key(), func() ([]uint32, int64, error) {
		ids, err := p.pickPlaced(ctx, order, &q)
		return ids, int64(len(ids)) * 4, err
	})
	if err != nil {
		return page, err
	}
	page.All, page.Matching = len(order), len(ids)
	from, to := query.Clamp(q.Offset, q.Limit, len(ids))
	refs := make([]uint64, 0, to-from)
	for _, i := range ids[from:to] {
		refs = append(refs, order[i].NameRef)
	}
	maxima, err := p.MaximaOf(ctx, refs)
	if err != nil {
		return page, err
	}
	known, err := p.NamesOf(ctx, slices.Compact(slices.Sorted(slices.Values(refs))))
	if err != nil {
		return page, err
	}
	rows := make([]PlacedFunction, len(refs))
	for n, i := range ids[from:to] {
		f, name := order[i], known[refs[n]]
		rows[n] = PlacedFunction{
			Place: int(i), First: int(f.First), Traces: int(f.Traces), Max: maxima[n],
			Function: table.Name{Ref: f.NameRef, PGO: string(name.Name)}, HasRecord: name.HasRecord,
		}
	}
	page.Rows = rows
	return page, nil
}

// pickPlaced selects and sorts functions of the order.
func (p *Profile) pickPlaced(ctx context.Context, order []analyze.Placed, q *query.RowQuery) ([]uint32, error) {
	refs := make([]uint64, len(order))
	for i := range order {
		refs[i] = order[i].NameRef
	}
	known := map[uint64]NameInfo{}
	if q.Text+q.Regexp != "" || slices.ContainsFunc(q.Sort, func(k query.Key) bool { return k.Column == ColName }) {
		var err error
		if known, err = p.NamesOf(ctx, slices.Sorted(slices.Values(refs))); err != nil {
			return nil, err
		}
	}
	name := func(i uint32) []byte { return known[refs[i]].Name }
	return q.Pick(ctx, query.Rows{
		Len: len(order), Names: func(i uint32, show func([]byte)) { show(name(i)) },
		Value: func(c query.Column) (query.Value, error) {
			switch c {
			case "place":
				return query.Value{At: func(i uint32) uint64 { return uint64(i) }}, nil
			case "first":
				return query.Value{At: func(i uint32) uint64 { return uint64(order[i].First) }}, nil
			case "traces":
				return query.Value{At: func(i uint32) uint64 { return uint64(order[i].Traces) }}, nil
			case ColMax:
				maxima, err := p.MaximaOf(ctx, refs)
				return query.Value{At: func(i uint32) uint64 { return maxima[i] }}, err
			case ColName:
				return query.Ranked(len(order), func(a, b uint32) int { return bytes.Compare(name(a), name(b)) }), nil
			}
			return query.Value{}, &query.ColumnError{Column: c, Known: Order.Sorts()}
		},
	})
}

// PlaceOf is where a function stands in the order of the temporal traces, from 0,
// of how many; false where it is in no trace.
func (p *Profile) PlaceOf(ctx context.Context, ref uint64) (at analyze.Placed, place, of int, ok bool, err error) {
	order, err := p.FunctionOrder(ctx)
	if err != nil {
		return at, 0, 0, false, err
	}
	place = slices.IndexFunc(order, func(f analyze.Placed) bool { return f.NameRef == ref })
	if place < 0 {
		return at, 0, len(order), false, nil
	}
	return order[place], place, len(order), true, nil
}
