package sampledb

import (
	"context"

	"proflens/analyze"
	"proflens/panics"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// The states that functions have besides those of all moves; any of them.
const (
	// hot in the base profile; cold, between the two, or absent in the test profile
	HotInBase query.MoveState = query.MoveOwn << iota
	HotInTest                 // the other way round
	// a function of the test profile that the base has only where it is inlined
	InlinedInBase
	InlinedInTest // the other way round
)

// ComparedRow is a function in both profiles; nil in one that has no count of it.
type ComparedRow struct{ Base, Test *Name }

// Any is the function in a profile that has it, in one that knows its name if there is one.
func (r *ComparedRow) Any() *Name {
	if r.Base == nil || r.Test != nil && len(r.Base.Linkage) == 0 {
		return r.Test
	}
	return r.Base
}

// Comparison is the functions of two profiles side by side, each by its share of the whole.
type Comparison struct {
	*query.Moves[ComparedRow]
	By         query.Column // ColTotal, ColOwn or ColHead
	Base, Test *Overview
	Counts     map[query.MoveState]int // of the family's own states
}

// Compare pairs the functions of two profiles by the hash of their names, and measures them
// by ColTotal, ColOwn or ColHead. The error is the context's, or about the files.
func Compare(ctx context.Context, base, test *Profile, by query.Column) (*Comparison, error) {
	return stored.Cached(ctx, base.Profile, query.CacheKey("sample compared", test.ID(), by),
		func() (*Comparison, int64, error) {
			var sides [2][]*Name
			var wholes [2]float64
			c := &Comparison{By: by, Base: base.Overview, Test: test.Overview, Counts: map[query.MoveState]int{}}
			both, within := panics.WithContext(ctx)
			for i, p := range []*Profile{base, test} {
				both.Go(func() error {
					all, err := p.Names(within)
					for n := range all {
						if all[n].Entries > 0 || all[n].Own() > 0 {
							sides[i] = append(sides[i], &all[n])
							wholes[i] += all[n].measure(by)
						}
					}
					return err
				})
			}
			if err := both.Wait(); err != nil {
				return nil, 0, err
			}
			rows := query.PairMoves(sides[0], sides[1],
				func(n **Name) analyze.Keyed { return analyze.Keyed{Key: (*n).GUID, Fine: (*n).Checksum} },
				func(b, t **Name) query.Move[ComparedRow] {
					var r ComparedRow
					if b != nil {
						r.Base = *b
					}
					if t != nil {
						r.Test = *t
					}
					return c.move(r, by, wholes)
				})
			if by != ColOwn { // which alone inlined code has
				kept := rows[:0]
				for i := range rows {
					if rows[i].Row.entered() {
						kept = append(kept, rows[i])
					}
				}
				rows = kept
			}
			for i := range rows {
				for _, state := range []query.MoveState{HotInBase, HotInTest, InlinedInBase, InlinedInTest} {
					if rows[i].State&state != 0 {
						c.Counts[state]++
					}
				}
			}
			c.Moves = query.NewMoves(rows, nil)
			return c, int64(len(rows)) * 160, ctx.Err()
		})
}

// measure is what is compared of a function.
func (n *Name) measure(by query.Column) float64 {
	switch {
	case n == nil:
		return 0
	case by == ColOwn:
		return float64(n.Own())
	case by == ColHead:
		return float64(n.Head)
	}
	return float64(n.Total)
}

func (c *Comparison) move(r ComparedRow, by query.Column, wholes [2]float64) query.Move[ComparedRow] {
	share := func(n *Name, whole float64) float64 {
		if whole == 0 {
			return 0
		}
		return n.measure(by) / whole
	}
	return query.NewMove(r, r.Any().Linkage, c.state(&r), share(r.Base, wholes[0]), share(r.Test, wholes[1]))
}

func (r *ComparedRow) entered() bool {
	return r.Base != nil && r.Base.Entries > 0 || r.Test != nil && r.Test.Entries > 0
}

// state is all of a function's states.
func (c *Comparison) state(r *ComparedRow) query.MoveState {
	b, t := r.Base, r.Test
	state := query.MoveMatched
	switch {
	case b == nil:
		state = query.MoveOnlyTest
	case t == nil:
		state = query.MoveOnlyBase
	case b.Checksum != t.Checksum && b.Checksum != 0 && t.Checksum != 0:
		state = query.MoveChanged
	}
	if b != nil && t != nil {
		switch {
		case b.Entries == 0 && t.Entries > 0:
			return state | InlinedInBase
		case t.Entries == 0 && b.Entries > 0:
			return state | InlinedInTest
		}
	}
	hot, hotTest := b != nil && c.Base.Hot(b.Max), t != nil && c.Test.Hot(t.Max)
	switch {
	case hot && !hotTest:
		state |= HotInBase
	case hotTest && !hot:
		state |= HotInTest
	}
	return state
}
