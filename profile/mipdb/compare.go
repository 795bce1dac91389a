package mipdb

import (
	"context"
	"slices"

	"proflens/analyze"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// What a comparison of functions measures.
const (
	CompareCovered query.Column = "covered" // bytes that ran
	CompareSize    query.Column = "size"    // bytes
	CompareOrder   query.Column = "order"   // places in the start-up order
)

// The states that functions have besides those of all comparisons; any of them.
const (
	NewlyCovered table.State = table.OwnState << iota // both have it, and it ran in the test profile alone
	NewlyDead                                         // both have it, and it ran in the base profile alone
	Moved                                             // it ran in both, and first at another place among those that did
	Grown
	Shrunk
)

// The columns that compared functions are sorted by in lists.
const (
	CompareSizeChange  query.Column = "size_change"
	ComparePlaceChange query.Column = "place_change"
)

// ComparedRow is a function in both profiles.
type ComparedRow struct {
	table.State               `col:"state" width:"12" head:"What changed"`
	FID                       string `col:"fid" width:"16" is:"key,script"`
	table.Name                `col:"name" head:"Function" parts:"name,name_hex,linkage_name,demangled,path"`
	_                         column `is:"sort,up,words"`
	table.Move                `col:"change" width:"9"`
	Size                      uint32  `col:"size" head:"Size" is:"page,sort,bytes"`
	_                         column  `help:"bytes, in A and in B where they differ"`
	SizeChange                float64 `col:"size_change" is:"page,sort,signed,size,bytes" help:"of functions in both"`
	PlaceChange               float64 `col:"place_change" head:"Place" is:"page,sort,signed,size"`
	_                         column  `help:"in A and in B, among the functions that ran in both"`
	table.Sides[ComparedSide] `pair:"executed:13,size:9,covered_bytes,place,merge_count:16,call_count,cfg_signature:18"`
}

// ComparedSide is a function in one of the two profiles.
type ComparedSide struct {
	*Row    `parts:"executed,merge_count,cfg_signature"`
	Size    uint32 `col:"size" is:"sort,range,bytes"`
	Covered int64  `col:"covered_bytes" width:"18" head:"Ran" is:"sort,range,bytes"`
	_       column `help:"bytes of it that ran" change:"covered_change"`
	// Place is its place, from 1, in the start-up order of the functions that ran in both; 0
	// where it did not, or places are not known.
	Place int    `col:"place" width:"10" is:"omitzero,sort,up" help:"among the functions that ran in both"`
	Calls uint64 `col:"call_count" width:"16" head:"Calls" is:"sort,range" change:"calls_change"`
}

// Compared is the table of functions in two profiles.
var Compared = table.Declare[ComparedRow](table.Declaration{
	About: "A function in two profiles of machine IR.", Noun: "function", All: true,
	Usual: "-abs_change", Show: "name change base_covered_bytes test_covered_bytes size place_change state",
	Text: "state change base_covered_bytes test_covered_bytes base_size test_size base_place test_place demangled",
	States: slices.Concat(table.States, []table.StateWord{
		{
			Word: "newly_covered", Label: "newly covered", Tag: "newly covered", Tone: "ok", Title: "it ran only in B",
		},
		{Word: "newly_dead", Label: "newly dead", Tag: "newly dead", Tone: "warn", Title: "it ran only in A"},
		{
			Word: "moved", Label: "moved in start-up order", Tag: "moved",
			Title: "its position at first run changed, among functions that ran in both",
		},
		{Word: "grown", Label: "grown"},
		{Word: "shrunk", Label: "shrunk"},
	}),
})

// Comparison is two profiles of machine IR side by side.
type Comparison struct {
	*table.Moves[*ComparedRow]
	By                query.Column
	Base, Test        analyze.MIPTotals
	Ordered           bool // both have timestamps
	Counts            map[table.State]int
	GrownBy, ShrunkBy uint64 // bytes
	CoveredBy, DeadBy uint64 // bytes of functions that are newly covered, and newly dead
}

// Compare pairs the functions of two profiles by signature, twins by control flow and
// then in link order. The error is the context's, or about the files.
func Compare(ctx context.Context, base, test *Profile, by query.Column) (*Comparison, error) {
	key := query.CacheKey("mip compared", test.ID(), by)
	return stored.Cached(ctx, base.Profile, key, func() (*Comparison, int64, error) {
		c := &Comparison{
			By: by, Base: base.Overview.MIPTotals, Test: test.Overview.MIPTotals, Counts: map[table.State]int{},
		}
		c.Ordered = base.Overview.HasTimestamps() && test.Overview.HasTimestamps()
		rows, err := pairRows(ctx, base, test)
		if err == nil && c.Ordered {
			err = placeRows(ctx, base, test, rows)
		}
		if err != nil {
			return nil, 0, err
		}
		c.Moves = table.NewMoves(Compared, c.moves(rows))
		return c, int64(base.n+test.n) * 320, ctx.Err()
	})
}

// pairRows pairs all functions of both.
func pairRows(ctx context.Context, base, test *Profile) ([]*ComparedRow, error) {
	var sides [2][]ComparedSide
	for i, p := range []*Profile{base, test} {
		rows, err := p.Rows(ctx, query.All(p.n))
		if err != nil {
			return nil, err
		}
		for n := range rows {
			f := &rows[n]
			sides[i] = append(sides[i], ComparedSide{Row: f, Size: f.Size, Covered: int64(f.CoveredBytes), Calls: f.Calls})
		}
	}
	return table.Pairs(sides[0], sides[1],
		func(f *ComparedSide) analyze.Keyed {
			return analyze.Keyed{Key: f.Signature, Fine: uint64(f.CFGSignature)}
		},
		func(both table.Sides[ComparedSide]) *ComparedRow {
			f := both.Any()
			r := &ComparedRow{
				Sides: both, FID: f.FID, Name: table.Name{Ref: f.Signature, PGO: string(f.Linkage)}, Size: f.Size,
			}
			if b, t := r.Base, r.Test; b != nil && t != nil {
				r.SizeChange = float64(t.Size) - float64(b.Size)
			}
			return r
		}), nil
}

// placeRows numbers the functions that ran in both by when they first did in each.
func placeRows(ctx context.Context, base, test *Profile, rows []*ComparedRow) error {
	var at [2]map[int]*ComparedRow // by index
	for side := range at {
		at[side] = map[int]*ComparedRow{}
	}
	for _, r := range rows {
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
				r.Base.Place = place
			} else {
				r.Test.Place = place
			}
		}
	}
	return nil
}

// moves measures functions, and tells what changed of each.
func (c *Comparison) moves(rows []*ComparedRow) []*ComparedRow {
	var placed []*ComparedRow
	for _, r := range rows {
		if r.placed() {
			placed = append(placed, r)
		}
	}
	byPlace := make([]int, len(placed)) // in the order of the base profile
	for _, r := range placed {
		byPlace[r.Base.Place-1] = r.Test.Place
	}
	kept := analyze.KeptOrder(byPlace)
	moves := make([]*ComparedRow, 0, len(rows))
	for _, r := range rows {
		r.State = stateOf(r)
		if r.placed() && !kept[r.Base.Place-1] {
			r.State |= Moved
			r.PlaceChange = float64(r.Test.Place - r.Base.Place)
		}
		c.count(r)
		if c.By == CompareOrder && !r.placed() {
			continue
		}
		r.Move = r.Sides.Move(c.measure)
		if c.By == CompareOrder && r.PlaceChange == 0 {
			r.Change = 0
		}
		moves = append(moves, r)
	}
	return moves
}

func (r *ComparedRow) placed() bool {
	return r.Base != nil && r.Test != nil && r.Base.Place > 0 && r.Test.Place > 0
}

// stateOf is all of a function's states but Moved.
func stateOf(r *ComparedRow) table.State {
	state := r.Sides.State()
	if state != table.Matched {
		return state
	}
	if r.Base.CFGSignature != r.Test.CFGSignature {
		state = table.Changed
	}
	if r.Base.Executed != r.Test.Executed {
		if state |= NewlyDead; r.Test.Executed {
			state = state&^NewlyDead | NewlyCovered
		}
	}
	switch {
	case r.SizeChange > 0:
		state |= Grown
	case r.SizeChange < 0:
		state |= Shrunk
	}
	return state
}

func (c *Comparison) count(r *ComparedRow) {
	for _, one := range []table.State{NewlyCovered, NewlyDead, Moved, Grown, Shrunk} {
		if r.State&one != 0 {
			c.Counts[one]++
		}
	}
	switch {
	case r.State&Grown != 0:
		c.GrownBy += uint64(r.SizeChange)
	case r.State&Shrunk != 0:
		c.ShrunkBy += uint64(-r.SizeChange)
	}
	if r.State&NewlyCovered != 0 {
		c.CoveredBy += r.Test.CoveredBytes
	}
	if r.State&NewlyDead != 0 {
		c.DeadBy += r.Base.CoveredBytes
	}
}

func (c *Comparison) measure(f *ComparedSide) float64 {
	switch {
	case c.By == CompareOrder:
		return float64(f.Place)
	case c.By == CompareSize:
		return float64(f.Size)
	}
	return float64(f.CoveredBytes)
}
