package instrdb

import (
	"context"
	"math"

	"proflens/analyze"
	"proflens/panics"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// The columns of a comparison that can be sorted or filtered by. A side that is
// missing has zeros.
const (
	PairChange    query.Column = "change"     // of share of the total, test minus base; no filter
	PairAbsChange query.Column = "abs_change" // its size: descending, the default order; no filter
	PairOverlap   query.Column = "overlap"    // of the two records' counters; pairs without come last; no filter
	PairName      query.Column = "name"       // by name bytes; no filter
	PairBaseTotal query.Column = "base_total"
	PairTestTotal query.Column = "test_total"
	PairBaseMax   query.Column = "base_max"
	PairTestMax   query.Column = "test_max"
	PairBaseEntry query.Column = "base_entry"
	PairTestEntry query.Column = "test_entry"
	PairBaseRank  query.Column = "base_rank" // missing sides come last; no filter
	PairTestRank  query.Column = "test_rank" // likewise
)

// pairSide says which side of a pair a column is of, and which of its columns.
var pairSide = map[query.Column]struct {
	test   bool
	column query.Column
}{
	PairBaseTotal: {false, ColTotal}, PairTestTotal: {true, ColTotal},
	PairBaseMax: {false, ColMax}, PairTestMax: {true, ColMax},
	PairBaseEntry: {false, ColEntry}, PairTestEntry: {true, ColEntry},
}

// Absent is a class to filter by: the profile has no such record.
const Absent analyze.Class = "absent"

// CompareQuery selects, orders and pages pairs. The zero value is all of them
// in the default order.
type CompareQuery struct {
	// Names selects by the names alone: Text, Regexp, Path, Rewrite and Scope.
	Names  Query
	States []PairState // any of these
	// Classes selects pairs that have any of these on either side, BaseClasses
	// and TestClasses on that side; Absent stands for a side that is missing.
	Classes, BaseClasses, TestClasses []analyze.Class
	CS                                *bool // context-sensitive records only, or plain ones only
	Direction                         query.Direction
	Over                              *float64 // the least size of a change, if it is one; nil selects every pair
	// MinOverlap and MaxOverlap select pairs whose records' counters are so much
	// alike, 0 to 1; both nil selects also what has no overlap.
	MinOverlap, MaxOverlap *float64
	Ranges                 []query.Range
	Sort                   []query.Key // empty is the default order
	Offset                 int         // position in the order
	Limit                  int         // pairs; 0 is none, for the counts alone
}

// PairRow is a pair as a table shows it.
type PairRow struct {
	State      PairState
	Base, Test *Row    // nil where the profile has no such record; without Cum
	Change     float64 // of share of the total, test minus base
	// Overlap compares the two records, where both are there and of one hash.
	Overlap *analyze.RecordOverlap
}

// Record is the record of the base profile, or that of the test profile where
// the base profile has none.
func (r *PairRow) Record() *Row {
	if r.Base != nil {
		return r.Base
	}
	return r.Test
}

// ComparePage is one page of a comparison.
type ComparePage struct {
	Rows     []PairRow
	All      int // pairs
	Matching int
	// BaseTotal and TestTotal are what the matching pairs hold.
	BaseTotal, TestTotal analyze.Sum
}

// pairOrder is the pairs of a filter in an order.
type pairOrder struct {
	ids        []uint32 // places in pairing.pairs
	base, test analyze.Sum
}

// Pairs answers a query. What a filter by name finds is kept in the cache, and
// so is the order. The error is the context's, or about the files.
func (c *Comparison) Pairs(ctx context.Context, q CompareQuery) (*ComparePage, error) {
	o, err := stored.Cached(ctx, c.Base.Profile, "pairs "+c.Test.ID()+" "+q.key(), func() (*pairOrder, int64, error) {
		o, err := c.order(ctx, &q)
		if err != nil {
			return nil, 0, err
		}
		return o, int64(cap(o.ids))*4 + 64, nil
	})
	if err != nil {
		return nil, err
	}
	page := &ComparePage{All: len(c.pairs), Matching: len(o.ids), BaseTotal: o.base, TestTotal: o.test}
	from, to := query.Clamp(q.Offset, q.Limit, len(o.ids))
	page.Rows, err = c.rows(ctx, o.ids[from:to])
	return page, err
}

// key tells orders apart in the cache.
func (q *CompareQuery) key() string {
	return q.Names.filterKey() + query.CacheKey(q.States, q.Classes, q.BaseClasses, q.TestClasses, q.Direction, q.Over,
		q.CS, q.MinOverlap, q.MaxOverlap, q.Ranges, q.Sort)
}

// order filters and sorts.
func (c *Comparison) order(ctx context.Context, q *CompareQuery) (*pairOrder, error) {
	tests, err := c.tests(ctx, q)
	if err != nil {
		return nil, err
	}
	b, err := c.Base.totals(ctx)
	if err != nil {
		return nil, err
	}
	t, err := c.Test.totals(ctx)
	if err != nil {
		return nil, err
	}
	o := &pairOrder{ids: query.Select(len(c.pairs), nil, tests)}
	if len(o.ids) == len(c.pairs) {
		o.base, o.test = b.all, t.all
		return o, c.sort(ctx, o, q)
	}
	sides, _ := panics.WithContext(ctx)
	sides.Go(func() error {
		for _, i := range o.ids {
			o.base.AddSum(b.ofRank(c.pairs[i].base))
		}
		return nil
	})
	sides.Go(func() error {
		for _, i := range o.ids {
			o.test.AddSum(t.ofRank(c.pairs[i].test))
		}
		return nil
	})
	if err := sides.Wait(); err != nil {
		return nil, err
	}
	return o, c.sort(ctx, o, q)
}

func (c *Comparison) sort(ctx context.Context, o *pairOrder, q *CompareQuery) error {
	return query.Sort(ctx, o.ids, q.Sort, func(column query.Column) (query.Value, error) { return c.value(ctx, column) })
}

// value is a column for sorting.
func (c *Comparison) value(ctx context.Context, column query.Column) (query.Value, error) {
	side := func(rank func(i uint32) uint32) (query.Value, error) {
		return query.Value{At: func(i uint32) uint64 { return uint64(rank(i)) },
			Known: func(i uint32) bool { return rank(i) > 0 }}, nil
	}
	switch column {
	case PairChange:
		return query.Real(func(i uint32) float64 { return c.change[i] }), nil
	case PairAbsChange:
		return query.Real(func(i uint32) float64 { return math.Abs(c.change[i]) }), nil
	case PairOverlap:
		v := query.Real(func(i uint32) float64 { return c.likeness[i] })
		v.Known = func(i uint32) bool { return c.likeness[i] >= 0 }
		return v, nil
	case PairBaseRank:
		return side(func(i uint32) uint32 { return c.pairs[i].base })
	case PairTestRank:
		return side(func(i uint32) uint32 { return c.pairs[i].test })
	case PairName:
		places, err := c.namePlaces(ctx)
		return query.Value{At: func(i uint32) uint64 { return uint64(places[i]) }}, err
	}
	return c.sideValue(ctx, column)
}

// sideValue is a column of one side of each pair, 0 where it is missing. A total
// above 2^64 counts as the largest number.
func (c *Comparison) sideValue(ctx context.Context, column query.Column) (query.Value, error) {
	of, ok := pairSide[column]
	if !ok {
		return query.Value{}, &query.ColumnError{Column: column}
	}
	p, rank := c.Base, func(i uint32) uint32 { return c.pairs[i].base }
	if of.test {
		p, rank = c.Test, func(i uint32) uint32 { return c.pairs[i].test }
	}
	if of.column == ColTotal {
		t, err := p.totals(ctx)
		return query.Value{At: func(i uint32) uint64 {
			if s := t.ofRank(rank(i)); s.Hi == 0 {
				return s.Lo
			}
			return math.MaxUint64
		}}, err
	}
	columns, err := p.columns(ctx, columnOf[of.column])
	if err != nil {
		return query.Value{}, err
	}
	values := columns[columnOf[of.column]]
	return query.Value{At: func(i uint32) uint64 {
		if r := rank(i); r > 0 {
			return values.at(r - 1)
		}
		return 0
	}}, nil
}
