package store

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"proflens/analyze"
)

// PairColumn names a column of a comparison that can be sorted or filtered.
type PairColumn string

// The columns. A side that is missing has zeros.
const (
	PairChange    PairColumn = "change"     // of share of the total, test minus base
	PairAbsChange PairColumn = "abs_change" // its size: descending, the default order
	PairOverlap   PairColumn = "overlap"    // of the two records' counters; pairs without come last
	PairName      PairColumn = "name"       // by name bytes
	PairBaseTotal PairColumn = "base_total"
	PairTestTotal PairColumn = "test_total"
	PairBaseMax   PairColumn = "base_max"
	PairTestMax   PairColumn = "test_max"
	PairBaseEntry PairColumn = "base_entry"
	PairTestEntry PairColumn = "test_entry"
	PairBaseRank  PairColumn = "base_rank" // missing sides come last
	PairTestRank  PairColumn = "test_rank"
)

// pairSide says which side of a pair a column is of, and which of its columns.
var pairSide = map[PairColumn]struct {
	test   bool
	column Column
}{
	PairBaseTotal: {false, ColTotal}, PairTestTotal: {true, ColTotal},
	PairBaseMax: {false, ColMax}, PairTestMax: {true, ColMax},
	PairBaseEntry: {false, ColEntry}, PairTestEntry: {true, ColEntry},
}

// PairSort is one column of an order.
type PairSort struct {
	Column PairColumn
	Desc   bool
}

// PairRange filters a numeric column of one side, both ends inclusive.
type PairRange struct {
	Column   PairColumn
	Min, Max uint64
}

// Absent is a class to filter by: the profile has no such record.
const Absent analyze.Class = "absent"

// Direction is the sign of a change of share.
type Direction string

// The directions.
const (
	More Direction = "more"
	Less Direction = "less"
	Same Direction = "same"
)

// CompareQuery selects, orders and pages pairs. The zero value is all of them
// in the default order.
type CompareQuery struct {
	// Names selects by the names alone: Text, Regexp, Path, Rewrite and Scope.
	Names  FunctionQuery
	States []PairState // any of these
	// Classes selects pairs that have any of these on either side, BaseClasses
	// and TestClasses on that side; Absent stands for a side that is missing.
	Classes, BaseClasses, TestClasses []analyze.Class
	CS                                *bool // context-sensitive records only, or plain ones only
	Direction                         Direction
	// MinOverlap and MaxOverlap select pairs whose records' counters are so much
	// alike, 0 to 1; both nil selects also what has no overlap.
	MinOverlap, MaxOverlap *float64
	Ranges                 []PairRange
	Sort                   []PairSort // empty is the default order
	Offset                 int        // position in the order
	Limit                  int        // pairs; 0 is none, for the counts alone
}

// PairRow is a pair as a table shows it.
type PairRow struct {
	State      PairState
	Base, Test *FunctionRow // nil where the profile has no such record; without Cum
	Change     float64      // of share of the total, test minus base
	// Overlap compares the two records, where both are there and of one hash.
	Overlap *analyze.RecordOverlap
}

// Record is the record of the base profile, or that of the test profile where
// the base profile has none.
func (r *PairRow) Record() *FunctionRow {
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
	v, err := c.Base.cached(ctx, "pairs "+c.Test.id+" "+q.key(), func() (any, int64, error) {
		o, err := c.order(ctx, &q)
		if err != nil {
			return nil, 0, err
		}
		return o, int64(cap(o.ids))*4 + 64, nil
	})
	if err != nil {
		return nil, err
	}
	o := v.(*pairOrder)
	page := &ComparePage{All: len(c.pairs), Matching: len(o.ids), BaseTotal: o.base, TestTotal: o.test}
	from, to := clamp(q.Offset, q.Limit, len(o.ids))
	page.Rows, err = c.rows(ctx, o.ids[from:to])
	return page, err
}

// key tells orders apart in the cache.
func (q *CompareQuery) key() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s|%q|%v %v %v %v %v", q.Names.filterKey(), q.Names.Rewrite, q.States, q.Classes, q.BaseClasses, q.TestClasses, q.Direction)
	if q.CS != nil {
		fmt.Fprint(&b, " cs ", *q.CS)
	}
	for _, end := range []*float64{q.MinOverlap, q.MaxOverlap} {
		if end != nil {
			fmt.Fprintf(&b, " %x", *end)
		} else {
			b.WriteString(" -")
		}
	}
	fmt.Fprint(&b, q.Ranges, q.Sort)
	return b.String()
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
	o := &pairOrder{}
pairs:
	for i := range c.pairs {
		for _, test := range tests {
			if !test(i) {
				continue pairs
			}
		}
		o.ids = append(o.ids, uint32(i))
		o.base.AddSum(b.of(c.pairs[i].base))
		o.test.AddSum(t.of(c.pairs[i].test))
	}
	for _, key := range slices.Backward(q.Sort) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		value, err := c.sortValue(ctx, key)
		if err != nil {
			return nil, err
		}
		sortBy(o.ids, value)
	}
	return o, nil
}

// sortValue gives a number for each pair that orders as a key does.
func (c *Comparison) sortValue(ctx context.Context, key PairSort) (func(id uint32) uint64, error) {
	turn := func(v uint64) uint64 {
		if key.Desc {
			return ^v
		}
		return v
	}
	switch key.Column {
	case PairChange:
		return func(id uint32) uint64 { return turn(ordered(c.change[id])) }, nil
	case PairAbsChange:
		return func(id uint32) uint64 { return turn(math.Float64bits(math.Abs(c.change[id]))) }, nil
	case PairOverlap:
		return func(id uint32) uint64 {
			if c.likeness[id] < 0 {
				return 1<<64 - 1
			}
			return turn(math.Float64bits(c.likeness[id]))
		}, nil
	case PairBaseRank:
		return func(id uint32) uint64 { return lastIfNone(c.pairs[id].base, turn) }, nil
	case PairTestRank:
		return func(id uint32) uint64 { return lastIfNone(c.pairs[id].test, turn) }, nil
	case PairName:
		places, err := c.namePlaces(ctx)
		if err != nil {
			return nil, err
		}
		return func(id uint32) uint64 { return turn(uint64(places[id])) }, nil
	}
	at, err := c.sideValue(ctx, key.Column)
	if err != nil {
		return nil, err
	}
	return func(id uint32) uint64 { return turn(at(int(id))) }, nil
}

func lastIfNone(rank uint32, turn func(uint64) uint64) uint64 {
	if rank == 0 {
		return 1<<64 - 1
	}
	return turn(uint64(rank))
}

// ordered maps doubles to numbers of the same order.
func ordered(f float64) uint64 {
	if b := math.Float64bits(f); b>>63 == 0 {
		return b | 1<<63
	} else {
		return ^b
	}
}

// sideValue gives a number of one side of each pair, 0 where it is missing. A
// total above 2^64 counts as the largest number.
func (c *Comparison) sideValue(ctx context.Context, name PairColumn) (func(i int) uint64, error) {
	of, ok := pairSide[name]
	if !ok {
		return nil, &ColumnError{Column(name)}
	}
	p, rank := c.Base, func(i int) uint32 { return c.pairs[i].base }
	if of.test {
		p, rank = c.Test, func(i int) uint32 { return c.pairs[i].test }
	}
	if of.column == ColTotal {
		t, err := p.totals(ctx)
		return func(i int) uint64 {
			if s := t.of(rank(i)); s.Hi == 0 {
				return s.Lo
			}
			return 1<<64 - 1
		}, err
	}
	id := sortColumn[of.column]
	columns, err := p.columns(ctx, id)
	if err != nil {
		return nil, err
	}
	values := columns[id]
	return func(i int) uint64 {
		if r := rank(i); r > 0 {
			return values.at(r - 1)
		}
		return 0
	}, nil
}
