package instrdb

import (
	"context"
	"math"
	"slices"
	"strconv"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/internal/recovery"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// The columns of a comparison that can be sorted or filtered by. A side that is
// missing has zeros.
const (
	PairOverlap   query.Column = "overlap" // of the two records' counters; pairs without come last; no filter
	PairName      query.Column = "name"    // by name bytes; no filter
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
	table.MoveBase: {false, ColTotal}, table.MoveTest: {true, ColTotal}, // shares of all are in that order
	PairBaseTotal: {false, ColTotal}, PairTestTotal: {true, ColTotal},
	PairBaseMax: {false, ColMax}, PairTestMax: {true, ColMax},
	PairBaseEntry: {false, ColEntry}, PairTestEntry: {true, ColEntry},
}

// Absent is a class to filter by: the profile has no such record.
const Absent analyze.Class = "absent"

// CompareQuery selects pairs.
type CompareQuery struct {
	table.MoveQuery
	// Names selects by the names alone: Path, Rewrite and Scope.
	Names Query
	// Classes selects pairs that have any of these on either side, BaseClasses
	// and TestClasses on that side; Absent stands for a side that is missing.
	Classes, BaseClasses, TestClasses []analyze.Class
	CS                                *bool // context-sensitive records only, or plain ones only
	// MinOverlap and MaxOverlap select pairs whose records' counters are so much
	// alike, 0 to 1; both nil selects also what has no overlap.
	MinOverlap, MaxOverlap *float64
}

// PairRow is a function record in two profiles: a row of the table of pairs.
type PairRow struct {
	table.State `col:"state" width:"9" head:"What changed" as:"matched|changed|only_base|only_test"`
	table.Name  `col:"name" head:"Function" is:"sort,up,words"`
	table.Move  `col:"change" width:"9" is:"part"` // of share of the total

	_ column `col:"ratio" head:"Count B / A" is:"page"`
	_ column `help:"sum of its counters in B ÷ that in A"`
	_ column `col:"overlap" width:"8" is:"number,part,sort"`
	_ column `as:"number null"`
	_ column `help:"of its counters, as llvm-profdata overlap --function prints it"`

	table.Sides[PairSide] `pair:"rank,hash,class,total,share,max,entry,counters" is:"apart"`
	Values                ValueOverlap `col:"value_overlap" is:"script"`
	_                     column       `as:"ValueOverlaps null" help:"the same by kind of value site, if there are counts"`
	CS                    bool         `col:"context_sensitive" width:"17" help:"counted after inlining"`
	// Overlap compares the two records, where both are there and of one hash.
	Overlap *analyze.RecordOverlap
}

// PairSide is a function record in one of the two profiles.
type PairSide struct {
	*Row     `parts:"-"`
	Rank     int           `col:"rank" width:"9" is:"sort,up" help:"place by total" as:"integer 1.. null"`
	Hash     uint64        `col:"hash" width:"16" is:"hex,key" help:"FuncHash"`
	Class    analyze.Class `col:"class" width:"10" is:"omitzero"`
	Total    analyze.Sum   `col:"total" width:"20" is:"sort,range" help:"sum of its counters"`
	Share    float64       `col:"share" width:"10" is:"part,script"`
	Max      uint64        `col:"max" width:"20" is:"sort,range" help:"its largest counter"`
	Entries  *uint64       `col:"entry" width:"20" is:"sort,range" help:"entry count"`
	Counters uint32        `col:"counters" width:"13" help:"how many it has"`
}

// Record is the record of the base profile, or that of the test profile where
// the base profile has none.
func (r *PairRow) Record() *Row { return r.Any().Row }

// Cell implements [table.Celler].
func (r *PairRow) Cell(string, *table.Options) table.Cell {
	if r.Overlap == nil || !r.Overlap.Scored {
		return table.Null
	}
	return table.Ratio(r.Overlap.Overlap.Edge)
}

// ValueOverlap is the score and both sums of every kind of value sites that a pair has counts
// of, which scripts have as an object.
type ValueOverlap struct{ of *analyze.RecordOverlap }

// Cell implements [table.Celler].
func (v *ValueOverlap) Cell(string, *table.Options) table.Cell {
	if v.of == nil || !v.of.Scored {
		return table.Null
	}
	b := []byte{'{'}
	for kind := range v.of.Overlap.Values {
		if v.of.Base.Values[kind] < 1 && v.of.Test.Values[kind] < 1 {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), instrprof.ValueKind(kind).String()...), `":{"overlap":`...)
		b = append(strconv.AppendFloat(b, v.of.Overlap.Values[kind], 'g', -1, 64), `,"base":`...)
		b = append(strconv.AppendFloat(b, v.of.Base.Values[kind], 'f', 0, 64), `,"test":`...)
		b = append(strconv.AppendFloat(b, v.of.Test.Values[kind], 'f', 0, 64), '}')
	}
	return table.JSON(append(b, '}'))
}

// Pairs is the table of function records in two profiles.
var Pairs = table.Declare[PairRow](table.Declaration{
	About: "A function record in two profiles.", Noun: "function", All: true,
	Usual: "-abs_change", Show: "name change base test ratio state", Around: (*PairTotals)(nil),
	Text:   "change base_share test_share base_total test_total overlap state demangled",
	States: table.States,
})

// pairOrder is the pairs of a filter in an order.
type pairOrder struct {
	ids        []uint32 // places in pairing.pairs, all or the first
	matching   int
	base, test analyze.Sum
}

// firstPairs is how many pairs the first pages of a table show: for these not all are sorted.
const firstPairs = 1000

// PairTotals are what the pairs of a table hold that match.
type PairTotals struct {
	Base analyze.Sum `col:"matching_base_total"`
	Test analyze.Sum `col:"matching_test_total"`
}

// Find finds the pairs that a query selects, as their table wants them. What a search of names
// finds is kept in the cache, and so is the order. The error is the context's, or about the
// files.
func (c *Comparison) Find(q CompareQuery) table.Find {
	return func(ctx context.Context, rows table.Query) (table.Page, error) {
		q.Names.Text, q.Names.Regexp = rows.Text, rows.Regexp
		key := "pairs " + c.Test.ID() + " " + q.Names.filterKey() + query.CacheKey(q.MoveQuery, q.Classes, q.BaseClasses,
			q.TestClasses, q.CS, q.MinOverlap, q.MaxOverlap, rows.Ranges, rows.Sort)
		most := len(c.pairs)
		if n := rows.Offset + rows.Limit; n >= 0 && n <= firstPairs {
			most = firstPairs
		}
		o, err := stored.Cached(ctx, c.Base.Profile, key+strconv.Itoa(most), func() (*pairOrder, int64, error) {
			o, err := c.order(ctx, &q, &rows.RowQuery, most)
			if err != nil {
				return nil, 0, err
			}
			return o, int64(cap(o.ids))*4 + 64, nil
		})
		if err != nil {
			return table.Page{}, err
		}
		from, to := query.Clamp(rows.Offset, rows.Limit, len(o.ids))
		list, err := c.rows(ctx, o.ids[from:to])
		return table.Page{
			All: len(c.pairs), Matching: o.matching, Set: table.Set{Rows: list, Around: &PairTotals{o.base, o.test}},
		}, err
	}
}

// order filters and sorts, to have at most so many.
func (c *Comparison) order(ctx context.Context, q *CompareQuery, rows *query.RowQuery, most int) (*pairOrder, error) {
	tests, err := c.tests(ctx, q, rows.Ranges)
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
	if o.matching = len(o.ids); o.matching == len(c.pairs) {
		o.base, o.test = b.all, t.all
	} else {
		sides, _ := recovery.WithContext(ctx)
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
	}
	// What is alike stands by the size of its change, then as pairs stand.
	usual := query.Key{Column: table.MoveAbsChange, Desc: true}
	keys := rows.Sort
	if len(keys) == 0 || keys[0] != usual {
		keys = append(slices.Clip(keys), usual)
	}
	o.ids, err = query.SortFirst(ctx, o.ids, most, keys, func(by query.Column) (query.Value, error) {
		return c.value(ctx, by)
	})
	return o, err
}

// value is a column for sorting.
func (c *Comparison) value(ctx context.Context, column query.Column) (query.Value, error) {
	side := func(rank func(i uint32) uint32) (query.Value, error) {
		return query.Value{At: func(i uint32) uint64 { return uint64(rank(i)) },
			Known: func(i uint32) bool { return rank(i) > 0 }}, nil
	}
	switch column {
	case table.MoveChange:
		return query.Real(func(i uint32) float64 { return c.change[i] }), nil
	case table.MoveAbsChange:
		return query.Real(func(i uint32) float64 { return math.Abs(c.change[i]) }), nil
	case PairOverlap:
		likeness, err := c.likeness(ctx)
		v := query.Real(func(i uint32) float64 { return likeness[i] })
		v.Known = func(i uint32) bool { return likeness[i] >= 0 }
		return v, err
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
	v := query.Value{At: func(i uint32) uint64 {
		if r := rank(i); r > 0 {
			return values.at(r - 1)
		}
		return 0
	}}
	if of.column == ColEntry {
		entered, err := p.entered(ctx)
		if err != nil {
			return v, err
		}
		v.Known = func(i uint32) bool { r := rank(i); return r == 0 || entered(r-1) }
	}
	return v, nil
}
