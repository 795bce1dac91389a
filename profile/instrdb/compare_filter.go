package instrdb

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"

	"proflens/analyze"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// tests makes a test of each filter of a query; it is given places in pairs.
func (c *Comparison) tests(ctx context.Context, q *CompareQuery, ranges []query.Range) ([]query.Test, error) {
	var tests []query.Test
	if q.MoveQuery != (table.MoveQuery{Min: table.AllMoves}) {
		tests = append(tests, func(i uint32) bool {
			change := c.change[i]
			return math.Abs(change) >= q.Min && q.Selects(c.pairs[i].state, &table.Move{Change: change})
		})
	}
	if low, high := q.MinOverlap, q.MaxOverlap; low != nil || high != nil {
		likeness, err := c.likeness(ctx)
		if err != nil {
			return nil, err
		}
		tests = append(tests, func(i uint32) bool {
			l := likeness[i]
			return l >= 0 && (low == nil || l >= *low) && (high == nil || l <= *high)
		})
	}
	if q.Names.hasNames() {
		test, err := c.nameTest(ctx, &q.Names)
		if err != nil {
			return nil, err
		}
		tests = append(tests, test)
	}
	for _, r := range ranges {
		value, err := c.sideValue(ctx, r.Column)
		if err != nil {
			return nil, err
		}
		tests = append(tests, value.In(r.Min, r.Max))
	}
	traits, err := c.traitTests(ctx, q)
	return append(tests, traits...), err
}

// traitTests are the filters by class and by context sensitivity.
func (c *Comparison) traitTests(ctx context.Context, q *CompareQuery) ([]query.Test, error) {
	if len(q.Classes)+len(q.BaseClasses)+len(q.TestClasses) == 0 && q.CS == nil {
		return nil, nil
	}
	base, err := c.Base.columns(ctx, traitsColumn)
	if err != nil {
		return nil, err
	}
	test, err := c.Test.columns(ctx, traitsColumn)
	if err != nil {
		return nil, err
	}
	b, t := base[traitsColumn], test[traitsColumn]
	has := func(wanted []analyze.Class, of *columnValues, rank uint32) bool {
		if rank == 0 {
			return slices.Contains(wanted, Absent)
		}
		return slices.Contains(wanted, classes[of.at(rank-1)&traitClass])
	}
	var tests []query.Test
	if len(q.Classes) > 0 {
		tests = append(tests, func(i uint32) bool {
			return has(q.Classes, b, c.pairs[i].base) || has(q.Classes, t, c.pairs[i].test)
		})
	}
	if len(q.BaseClasses) > 0 {
		tests = append(tests, func(i uint32) bool { return has(q.BaseClasses, b, c.pairs[i].base) })
	}
	if len(q.TestClasses) > 0 {
		tests = append(tests, func(i uint32) bool { return has(q.TestClasses, t, c.pairs[i].test) })
	}
	if q.CS != nil {
		tests = append(tests, func(i uint32) bool {
			of, rank := b, c.pairs[i].base
			if rank == 0 {
				of, rank = t, c.pairs[i].test
			}
			return of.at(rank-1)&traitCS != 0 == *q.CS
		})
	}
	return tests, nil
}

// nameTest filters by names. Both sides of a pair have one name, so it is
// looked at in the base profile, and in the test profile only where it is
// missing there.
func (c *Comparison) nameTest(ctx context.Context, q *Query) (query.Test, error) {
	base, err := c.Base.searchAll(ctx, q)
	if err != nil {
		return nil, err
	}
	test, err := c.Test.searchAll(ctx, q)
	if err != nil {
		return nil, err
	}
	return func(i uint32) bool {
		if rank := c.pairs[i].base; rank > 0 {
			return base.Has(rank - 1)
		}
		return test.Has(c.pairs[i].test - 1)
	}, nil
}

// searchAll is search to the end: a comparison shows no half results.
func (p *Profile) searchAll(ctx context.Context, q *Query) (query.Bitset, error) {
	for {
		found, err := p.search(ctx, q)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		if found.Whole() {
			return found.Matching, nil
		}
	}
}

// namePlaces numbers the pairs by the bytes of their names; equal names have
// one number.
func (c *Comparison) namePlaces(ctx context.Context) ([]uint32, error) {
	return stored.Cached(ctx, c.Base.Profile, "pair names "+c.Test.ID(), func() ([]uint32, int64, error) {
		places, err := c.sortNames(ctx)
		return places, int64(len(places)) * 4, err
	})
}

// sortNames holds all names for as long as it sorts them.
func (c *Comparison) sortNames(ctx context.Context) ([]uint32, error) {
	names := make([][]byte, len(c.pairs))
	ids := make([]uint32, len(c.pairs))
	base, test := c.Base.function.Cursor(), c.Test.function.Cursor()
	for i, pair := range c.pairs {
		if i%stored.CheckEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		cursor, rank := base, pair.base
		if rank == 0 {
			cursor, rank = test, pair.test
		}
		row, err := stored.Find(cursor, int(rank))
		if err != nil {
			return nil, err
		}
		names[i], ids[i] = bytes.Clone(row.Bytes(fnName)), uint32(i)
		if err := row.Err(); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(ids, func(a, b uint32) int { return cmp.Or(bytes.Compare(names[a], names[b]), cmp.Compare(a, b)) })
	places := make([]uint32, len(ids))
	place := uint32(0)
	for n, id := range ids {
		if n > 0 && !bytes.Equal(names[id], names[ids[n-1]]) {
			place++
		}
		places[id] = place
	}
	return places, nil
}

// rows reads pairs.
func (c *Comparison) rows(ctx context.Context, ids []uint32) ([]*PairRow, error) {
	rows := make([]*PairRow, 0, len(ids))
	base, test := c.Base.records(), c.Test.records()
	for n, id := range ids {
		if n%stored.CheckEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		pair := c.pairs[id]
		row := &PairRow{State: pair.state, Move: table.Move{Change: c.change[id]}}
		var err error
		if row.Base, err = base.side(pair.base); err != nil {
			return nil, err
		}
		if row.Test, err = test.side(pair.test); err != nil {
			return nil, err
		}
		if row.Base != nil {
			row.InBase = row.Base.Share
		}
		if row.Test != nil {
			row.InTest = row.Test.Share
		}
		f := row.Record()
		row.Name, row.CS = f.Name, f.CS
		if row.Base != nil && row.Test != nil && row.Base.Hash == row.Test.Hash {
			var alone analyze.Overlap
			b, err := base.at(int(pair.base))
			if err != nil {
				return nil, err
			}
			t, err := test.at(int(pair.test))
			if err != nil {
				return nil, err
			}
			row.Overlap = new(alone.Compare(b, t))
			row.Values.of = row.Overlap
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// side reads a record as a table shows it; nil for rank 0.
func (r *recordReader) side(rank uint32) (*PairSide, error) {
	if rank == 0 {
		return nil, nil
	}
	row, err := r.find(int(rank))
	if err != nil {
		return nil, err
	}
	f, counters, err := r.p.functionRow(row, r.f.Counters)
	r.f.Counters = counters
	s := &PairSide{
		Row: &f, Rank: f.Rank, Hash: f.FuncHash, Class: f.Class, Total: f.Total, Share: f.Share, Max: f.Max,
		Counters: uint32(f.NumCounters),
	}
	if analyze.HasEntry(r.p.Overview.Info.Variant) && !f.Pseudo {
		s.Entries = &f.Entry
	}
	return s, err
}
