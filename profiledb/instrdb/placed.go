package instrdb

import (
	"bytes"
	"context"
	"slices"

	"proflens/analyze"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// PlacedFunction is a function of temporal traces at its place in their order.
type PlacedFunction struct {
	analyze.Placed
	NameInfo
	Place int    // from 0
	Max   uint64 // its largest counter; 0 without a record
}

// The columns of the order that can be sorted and filtered by, beside ColName and
// ColMax.
const (
	PlacedPlace  query.Column = "place"
	PlacedFirst  query.Column = "first"  // earliest position over all traces
	PlacedTraces query.Column = "traces" // that it is in
)

// PlacedColumns are all of them.
var PlacedColumns = []query.Column{PlacedPlace, PlacedFirst, PlacedTraces, ColMax, ColName}

// PlacedPage is one page of the order.
type PlacedPage struct {
	Rows          []PlacedFunction
	All, Matching int
}

// Placed returns one page of the functions of all traces, in their order unless the
// query says otherwise. Errors are a *query.ColumnError, that of names.NewMatcher
// for a pattern, the context's, or about the file.
func (p *Profile) Placed(ctx context.Context, q query.RowQuery) (*PlacedPage, error) {
	order, err := p.FunctionOrder(ctx)
	if err != nil {
		return nil, err
	}
	ids, err := stored.Cached(ctx, p.Profile, "placed "+q.Key(), func() ([]uint32, int64, error) {
		ids, err := p.pickPlaced(ctx, order, &q)
		return ids, int64(len(ids)) * 4, err
	})
	if err != nil {
		return nil, err
	}
	page := &PlacedPage{All: len(order), Matching: len(ids)}
	from, to := query.Clamp(q.Offset, q.Limit, len(ids))
	refs := make([]uint64, 0, to-from)
	for _, i := range ids[from:to] {
		refs = append(refs, order[i].NameRef)
	}
	maxima, err := p.MaximaOf(ctx, refs)
	if err != nil {
		return nil, err
	}
	known, err := p.NamesOf(ctx, slices.Compact(slices.Sorted(slices.Values(refs))))
	if err != nil {
		return nil, err
	}
	for n, i := range ids[from:to] {
		page.Rows = append(page.Rows, PlacedFunction{order[i], known[refs[n]], int(i), maxima[n]})
	}
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
			case PlacedPlace:
				return query.Value{At: func(i uint32) uint64 { return uint64(i) }}, nil
			case PlacedFirst:
				return query.Value{At: func(i uint32) uint64 { return uint64(order[i].First) }}, nil
			case PlacedTraces:
				return query.Value{At: func(i uint32) uint64 { return uint64(order[i].Traces) }}, nil
			case ColMax:
				maxima, err := p.MaximaOf(ctx, refs)
				return query.Value{At: func(i uint32) uint64 { return maxima[i] }}, err
			case ColName:
				return query.Ranked(len(order), func(a, b uint32) int { return bytes.Compare(name(a), name(b)) }), nil
			}
			return query.Value{}, &query.ColumnError{Column: c, Known: PlacedColumns}
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
