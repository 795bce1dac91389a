package instrdb

import (
	"bytes"
	"context"
	"slices"

	"proflens/analyze"
	"proflens/names"
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
func (p *Profile) Placed(ctx context.Context, q RowQuery) (*PlacedPage, error) {
	order, err := p.FunctionOrder(ctx)
	if err != nil {
		return nil, err
	}
	ids, err := stored.Cached(ctx, p.Profile, "placed "+query.CacheKey(q.Text, q.Regexp, q.Ranges, q.Sort), func() ([]uint32, int64, error) {
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
func (p *Profile) pickPlaced(ctx context.Context, order []analyze.Placed, q *RowQuery) ([]uint32, error) {
	match, err := names.NewMatcher(q.Text, q.Regexp)
	if err != nil {
		return nil, err
	}
	refs := make([]uint64, len(order))
	for i := range order {
		refs[i] = order[i].NameRef
	}
	var known map[uint64]NameInfo
	name := func(i uint32) []byte { return known[refs[i]].Name }
	named := func() error {
		if known == nil {
			known, err = p.NamesOf(ctx, slices.Sorted(slices.Values(refs)))
		}
		return err
	}
	value := func(c query.Column) (query.Value, error) {
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
			if err := named(); err != nil {
				return query.Value{}, err
			}
			return query.Ranked(len(order), func(a, b uint32) int { return bytes.Compare(name(a), name(b)) }), nil
		}
		return query.Value{}, &query.ColumnError{Column: c, Known: PlacedColumns}
	}
	var tests []query.Test
	for _, r := range q.Ranges {
		v, err := value(r.Column)
		if err != nil {
			return nil, err
		}
		tests = append(tests, v.In(r.Min, r.Max))
	}
	if q.Text != "" || q.Regexp != "" {
		if err := named(); err != nil {
			return nil, err
		}
		tests = append(tests, func(i uint32) bool { return ctx.Err() == nil && match.Match(name(i)) })
	}
	ids := query.Select(len(order), nil, tests)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return ids, query.Sort(ctx, ids, q.Sort, value)
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
