package sampledb

import (
	"cmp"
	"context"
	"slices"

	"proflens/analyze"
	"proflens/internal/recovery"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// The states that functions have besides those of all comparisons; any of them.
const (
	// hot in the base profile; cold, between the two, or absent in the test profile
	HotInBase table.State = table.OwnState << iota
	HotInTest             // the other way round
	// a function of the test profile that the base has only where it is inlined
	InlinedInBase
	InlinedInTest // the other way round
)

// ComparedRow is a function in both profiles; nil in one that has no count of it.
type ComparedRow struct {
	table.State               `col:"state" width:"12" head:"What changed"`
	table.Name                `col:"name" head:"Function" is:"sort,up,words" how:"names a name"`
	table.Move                `col:"change" width:"9" is:"part"`
	table.Sides[ComparedSide] `pair:"share,total,own,head,max,heat,checksum"`
}

// ComparedSide is a function in one of the two profiles.
type ComparedSide struct {
	*Name `parts:"-"`
	Share float64 `col:"share" width:"10" is:"part,script"` // of what is compared
	Total uint64  `col:"total" width:"12" is:"sort,range"`
	_     column  `change:"total_change" help:"samples of the function and of what is inlined into it"`
	Own   uint64  `col:"own" width:"12" is:"sort,range"`
	_     column  `change:"own_change" help:"counts of the function itself, wherever its code is"`
	Head  uint64  `col:"head" width:"12" is:"sort,range" change:"head_change" help:"times it was entered by a branch"`
	Max   uint64  `col:"max" width:"12" head:"Maximum" is:"sort,range" help:"the largest count in it"`
	// Heat is empty where it is only inlined.
	Heat     Heat
	_        column `col:"heat" width:"9" help:"by its largest count and the thresholds of its profile"`
	Checksum uint64 `col:"checksum" width:"16" is:"hex,omitzero" help:"of its control flow graph"`
}

// Cell implements [table.Celler].
func (s *ComparedSide) Cell(string, *table.Options) table.Cell {
	return table.Text(string(cmp.Or(s.Heat, "inlined")))
}

// Compared is the table of functions in two profiles.
var Compared = table.Declare[ComparedRow](table.Declaration{
	About: "A function in two sample profiles.", Noun: "function", All: true,
	Usual: "-abs_change", Show: "name change base test base_total test_total state",
	Text: "change base_share test_share base_total test_total base_heat test_heat state demangled",
	States: slices.Concat(table.States, []table.StateWord{
		{Word: "hot_base", Label: "hot in A, not in B"},
		{Word: "hot_test", Label: "hot in B, not in A"},
		{
			Word: "inlined_base", Label: "only inlined in A", Tag: "only inlined in A",
			Title: "A has it only where it is inlined into others",
		},
		{
			Word: "inlined_test", Label: "only inlined in B", Tag: "only inlined in B",
			Title: "B has it only where it is inlined into others",
		},
	}),
})

// Comparison is the functions of two profiles side by side, each by its share of the whole.
type Comparison struct {
	*table.Moves[*ComparedRow]
	By         query.Column // ColTotal, ColOwn or ColHead
	Base, Test *Overview
}

// Compare pairs the functions of two profiles by the hash of their names, and measures them
// by ColTotal, ColOwn or ColHead. The error is the context's, or about the files.
func Compare(ctx context.Context, base, test *Profile, by query.Column) (*Comparison, error) {
	return stored.Cached(ctx, base.Profile, query.CacheKey("sample compared", test.ID(), by),
		func() (*Comparison, int64, error) {
			var sides [2][]ComparedSide
			var wholes [2]float64
			c := &Comparison{By: by, Base: base.Overview, Test: test.Overview}
			both, within := recovery.WithContext(ctx)
			for i, p := range []*Profile{base, test} {
				both.Go(func() error {
					all, err := p.Names(within)
					for n := range all {
						if all[n].Entries > 0 || all[n].Own() > 0 {
							sides[i] = append(sides[i], p.compared(&all[n]))
							wholes[i] += all[n].measure(by)
						}
					}
					return err
				})
			}
			if err := both.Wait(); err != nil {
				return nil, 0, err
			}
			for i, list := range sides {
				for n := range list {
					if wholes[i] > 0 {
						list[n].Share = list[n].measure(by) / wholes[i]
					}
				}
			}
			rows := table.Pairs(sides[0], sides[1],
				func(s *ComparedSide) analyze.Keyed { return analyze.Keyed{Key: s.GUID, Fine: s.Checksum} },
				c.row)
			if by != ColOwn { // which alone inlined code has
				rows = slices.DeleteFunc(rows, func(r *ComparedRow) bool { return !r.entered() })
			}
			c.Moves = table.NewMoves(Compared, rows)
			return c, int64(len(rows)) * 400, ctx.Err()
		})
}

// compared is a function as the profile has it.
func (p *Profile) compared(n *Name) ComparedSide {
	s := ComparedSide{Name: n, Total: n.Total, Own: n.Own(), Head: n.Head, Max: n.Max, Checksum: n.Checksum}
	if n.Entries > 0 {
		s.Heat = p.Overview.HeatOf(n.Max)
	}
	return s
}

// measure is what is compared of a function.
func (n *Name) measure(by query.Column) float64 {
	switch by {
	case ColOwn:
		return float64(n.Own())
	case ColHead:
		return float64(n.Head)
	}
	return float64(n.Total)
}

func (c *Comparison) row(both table.Sides[ComparedSide]) *ComparedRow {
	r := &ComparedRow{Sides: both, Move: both.Move(func(s *ComparedSide) float64 { return s.Share })}
	r.Name = both.Called(func(s *ComparedSide) table.Name {
		return table.Name{Ref: s.GUID, PGO: string(s.Linkage)}
	})
	r.State = c.state(r)
	return r
}

func (r *ComparedRow) entered() bool {
	return r.Base != nil && r.Base.Entries > 0 || r.Test != nil && r.Test.Entries > 0
}

// state is all of a function's states.
func (c *Comparison) state(r *ComparedRow) table.State {
	b, t := r.Base, r.Test
	state := r.Sides.State()
	if state == table.Matched {
		if b.Checksum != t.Checksum && b.Checksum != 0 && t.Checksum != 0 {
			state = table.Changed
		}
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
