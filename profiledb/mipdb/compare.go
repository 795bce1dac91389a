package mipdb

import (
	"context"
	"math"

	"proflens/analyze"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// What a comparison of functions measures.
const (
	CompareCovered query.Column = "covered" // bytes that ran
	CompareSize    query.Column = "size"    // bytes
	CompareOrder   query.Column = "order"   // places in the start-up order
)

// The states that functions have besides those of all moves; any of them.
const (
	NewlyCovered query.MoveState = query.MoveOwn << iota // both have it, and it ran in the test profile alone
	NewlyDead                                            // both have it, and it ran in the base profile alone
	Moved                                                // it ran in both, and first at another place among those that did
	Grown
	Shrunk
)

// The columns that compared functions can be sorted by besides those of all moves.
const (
	CompareSizeChange  query.Column = "size_change"  // its size, in bytes
	ComparePlaceChange query.Column = "place_change" // its size, in places; of those that moved
)

// ComparedRow is a function in both profiles; nil in one that does not have it.
type ComparedRow struct {
	Base, Test *Row
	// BasePlace and TestPlace are its places, from 1, in the start-up orders of the
	// functions that ran in both; 0 where it did not, or places are not known.
	BasePlace, TestPlace int
}

// Any is the function of the base profile, or that of the test profile where the base
// does not have it.
func (r *ComparedRow) Any() *Row {
	if r.Base != nil {
		return r.Base
	}
	return r.Test
}

// Comparison is two profiles of machine IR side by side.
type Comparison struct {
	*query.Moves[ComparedRow]
	By                query.Column
	Base, Test        analyze.MIPTotals
	Ordered           bool // both have timestamps
	Counts            map[query.MoveState]int
	GrownBy, ShrunkBy uint64 // bytes
	CoveredBy, DeadBy uint64 // bytes of functions that are newly covered, and newly dead
}

// Compare pairs the functions of two profiles by signature, twins by control flow and
// then in link order. The error is the context's, or about the files.
func Compare(ctx context.Context, base, test *Profile, by query.Column) (*Comparison, error) {
	key := query.CacheKey("mip compared", test.ID(), by)
	return stored.Cached(ctx, base.Profile, key, func() (*Comparison, int64, error) {
		c := &Comparison{
			By: by, Base: base.Overview.MIPTotals, Test: test.Overview.MIPTotals, Counts: map[query.MoveState]int{},
		}
		c.Ordered = base.Overview.HasTimestamps() && test.Overview.HasTimestamps()
		rows, err := pairRows(ctx, base, test)
		if err == nil && c.Ordered {
			err = placeRows(ctx, base, test, rows)
		}
		if err != nil {
			return nil, 0, err
		}
		c.Moves = query.NewMoves(c.moves(rows), map[query.Column]func(*query.Move[ComparedRow]) float64{
			CompareSize:        func(m *query.Move[ComparedRow]) float64 { return float64(m.Row.Any().Size) },
			CompareSizeChange:  func(m *query.Move[ComparedRow]) float64 { return math.Abs(sizeChange(&m.Row)) },
			ComparePlaceChange: func(m *query.Move[ComparedRow]) float64 { return placeChange(m) },
		})
		return c, int64(base.n+test.n) * 320, ctx.Err()
	})
}

// pairRows pairs all functions of both.
func pairRows(ctx context.Context, base, test *Profile) ([]ComparedRow, error) {
	var sides [2][]Row
	var keys [2][]analyze.Keyed
	for i, p := range []*Profile{base, test} {
		rows, err := p.Rows(ctx, query.All(p.n))
		if err != nil {
			return nil, err
		}
		sides[i] = rows
		for n := range rows {
			keys[i] = append(keys[i], analyze.Keyed{Key: rows[n].Signature, Fine: uint64(rows[n].CFGSignature)})
		}
	}
	pairs := analyze.Pair(keys[0], keys[1])
	rows := make([]ComparedRow, len(pairs))
	for n, pair := range pairs {
		if pair.A >= 0 {
			rows[n].Base = &sides[0][pair.A]
		}
		if pair.B >= 0 {
			rows[n].Test = &sides[1][pair.B]
		}
	}
	return rows, nil
}

// placeRows numbers the functions that ran in both by when they first did in each.
func placeRows(ctx context.Context, base, test *Profile, rows []ComparedRow) error {
	var at [2]map[int]*ComparedRow // by index
	for side := range at {
		at[side] = map[int]*ComparedRow{}
	}
	for i := range rows {
		r := &rows[i]
		if r.Base != nil && r.Test != nil && r.Base.MergeCount > 0 && r.Test.MergeCount > 0 {
			at[0][r.Base.Index], at[1][r.Test.Index] = r, r
		}
	}
	for side, p := range []*Profile{base, test} {
		order, err := p.firstOrder(ctx)
		if err != nil {
			return err
		}
		place := 0
		for _, i := range order {
			r := at[side][int(i)]
			if r == nil {
				continue
			}
			if place++; side == 0 {
				r.BasePlace = place
			} else {
				r.TestPlace = place
			}
		}
	}
	return nil
}

// moves measures functions, and tells what changed of each.
func (c *Comparison) moves(rows []ComparedRow) []query.Move[ComparedRow] {
	byPlace := make([]int, 0, len(rows)) // rows with places, in the order of the base profile
	for i := range rows {
		if rows[i].BasePlace > 0 && rows[i].TestPlace > 0 {
			byPlace = append(byPlace, 0)
		}
	}
	for i := range rows {
		if rows[i].BasePlace > 0 && rows[i].TestPlace > 0 {
			byPlace[rows[i].BasePlace-1] = rows[i].TestPlace
		}
	}
	kept := analyze.KeptOrder(byPlace)
	moves := make([]query.Move[ComparedRow], 0, len(rows))
	for i := range rows {
		r := &rows[i]
		state := stateOf(r)
		moved := r.BasePlace > 0 && r.TestPlace > 0 && !kept[r.BasePlace-1]
		if moved {
			state |= Moved
		}
		c.count(r, state)
		if c.By == CompareOrder && (r.BasePlace == 0 || r.TestPlace == 0) {
			continue
		}
		base, test := c.measure(r)
		move := query.NewMove(*r, r.Any().Linkage, state, base, test)
		if c.By == CompareOrder && !moved {
			move.Change = 0
		}
		moves = append(moves, move)
	}
	return moves
}

// stateOf is all of a function's states but Moved.
func stateOf(r *ComparedRow) query.MoveState {
	switch {
	case r.Base == nil:
		return query.MoveOnlyTest
	case r.Test == nil:
		return query.MoveOnlyBase
	}
	state := query.MoveMatched
	if r.Base.CFGSignature != r.Test.CFGSignature {
		state = query.MoveChanged
	}
	if r.Base.Executed != r.Test.Executed {
		if state |= NewlyDead; r.Test.Executed {
			state = state&^NewlyDead | NewlyCovered
		}
	}
	switch {
	case r.Test.Size > r.Base.Size:
		state |= Grown
	case r.Test.Size < r.Base.Size:
		state |= Shrunk
	}
	return state
}

func (c *Comparison) count(r *ComparedRow, state query.MoveState) {
	for _, one := range []query.MoveState{NewlyCovered, NewlyDead, Moved, Grown, Shrunk} {
		if state&one != 0 {
			c.Counts[one]++
		}
	}
	switch change := sizeChange(r); {
	case state&Grown != 0:
		c.GrownBy += uint64(change)
	case state&Shrunk != 0:
		c.ShrunkBy += uint64(-change)
	}
	if state&NewlyCovered != 0 {
		c.CoveredBy += r.Test.CoveredBytes
	}
	if state&NewlyDead != 0 {
		c.DeadBy += r.Base.CoveredBytes
	}
}

func (c *Comparison) measure(r *ComparedRow) (base, test float64) {
	if c.By == CompareOrder {
		return float64(r.BasePlace), float64(r.TestPlace)
	}
	of := func(f *Row) float64 {
		switch {
		case f == nil:
			return 0
		case c.By == CompareSize:
			return float64(f.Size)
		}
		return float64(f.CoveredBytes)
	}
	return of(r.Base), of(r.Test)
}

// sizeChange is in bytes; nothing where a profile does not have the function.
func sizeChange(r *ComparedRow) float64 {
	if r.Base == nil || r.Test == nil {
		return 0
	}
	return float64(r.Test.Size) - float64(r.Base.Size)
}

func placeChange(m *query.Move[ComparedRow]) float64 {
	if m.State&Moved == 0 {
		return 0
	}
	return math.Abs(float64(m.Row.TestPlace - m.Row.BasePlace))
}
