package ranks

import (
	"cmp"
	"math"
	"slices"

	"proflens/analyze"
	"proflens/profiledb/query"
)

// What functions are ranked by.
const (
	ByTotal query.Column = "total"
	ByEntry query.Column = "entry"
)

// The states that functions have besides those of all moves.
const (
	// hot in the base profile and not in the test profile, as far as that tells
	HotInBase query.MoveState = query.MoveOwn << iota
	HotInTest                 // the other way round
)

// RankChange is a column that compared functions can be sorted by besides those of all
// moves: the places between their two ranks.
const RankChange query.Column = "rank_change"

// Row is a function in both profiles; nil in one that does not have it.
type Row struct {
	Base, Test *Function
	// BaseRank and TestRank are its places among the functions of each profile, from 1; 0
	// where it has none. Equals share the first place.
	BaseRank, TestRank int
}

// Any is the function in a profile that has it, in one that knows its name if there is one.
func (r *Row) Any() *Function {
	if r.Base == nil || r.Test != nil && len(r.Base.Linkage) == 0 {
		return r.Test
	}
	return r.Base
}

// Top is the hottest functions of two profiles, those that the other tells of.
type Top struct {
	N          int // at most so many of each
	Base, Test int // so many there are
	Both       int // that are among the hottest of both
	HotInTest  int // of Base, functions that are hot in the test profile
	HotInBase  int
}

// Comparison is the functions of two profiles side by side, each by its share of the whole.
type Comparison struct {
	*query.Moves[Row]
	By     query.Column
	Common int // functions that both have
	// Agreement is the rank correlation of these, see [analyze.RankCorrelation].
	Agreement float64
	Ranked    bool // there is one
	Tops      []Top
	Counts    map[query.MoveState]int // of HotInBase and HotInTest
}

// Compare pairs functions by linkage name, and measures them by ByTotal or ByEntry. Those
// without a figure that only one profile has are left out.
func Compare(base, test *Profile, by query.Column) *Comparison {
	c := &Comparison{By: by, Counts: map[query.MoveState]int{}}
	sides := [2]*side{newSide(base, by), newSide(test, by)}
	rows := query.PairMoves(base.Functions, test.Functions, func(f *Function) analyze.Keyed {
		return analyze.Keyed{Key: f.GUID}
	},
		func(b, t *Function) query.Move[Row] { return c.move(Row{Base: b, Test: t}, sides) })
	kept := rows[:0]
	var figures [2][]float64
	for i := range rows {
		m := &rows[i]
		if m.Row.Base != nil && m.Row.Test != nil {
			figures[0], figures[1] = append(figures[0], m.Base), append(figures[1], m.Test)
		} else if m.Base == 0 && m.Test == 0 {
			continue
		}
		for _, state := range []query.MoveState{HotInBase, HotInTest} {
			if m.State&state != 0 {
				c.Counts[state]++
			}
		}
		kept = append(kept, *m)
	}
	c.Common = len(figures[0])
	c.Agreement, c.Ranked = analyze.RankCorrelation(figures[0], figures[1])
	c.Tops = tops(sides)
	c.Moves = query.NewMoves(kept,
		map[query.Column]func(*query.Move[Row]) float64{RankChange: func(m *query.Move[Row]) float64 {
			if m.Row.BaseRank == 0 || m.Row.TestRank == 0 {
				return 0
			}
			return math.Abs(float64(m.Row.BaseRank - m.Row.TestRank))
		}})
	return c
}

func (c *Comparison) move(r Row, sides [2]*side) query.Move[Row] {
	var base, test float64
	state := query.MoveMatched
	if r.Base == nil {
		state = query.MoveOnlyTest
	} else {
		base, r.BaseRank = sides[0].share(r.Base), sides[0].ranks[r.Base.GUID]
	}
	if r.Test == nil {
		state = query.MoveOnlyBase
	} else {
		test, r.TestRank = sides[1].share(r.Test), sides[1].ranks[r.Test.GUID]
	}
	switch {
	case r.Base.hot() && !r.Test.hot() && sides[1].tells(r.Test):
		state |= HotInBase
	case r.Test.hot() && !r.Base.hot() && sides[0].tells(r.Base):
		state |= HotInTest
	}
	return query.NewMove(r, r.Any().Linkage, state, base, test)
}

func (f *Function) hot() bool { return f != nil && f.Heat == Hot }

// tells reports whether a profile says how hot a function is that it has, or has not.
func (p *Profile) tells(f *Function) bool { return f != nil || p.Sampled }

// side is a profile in order.
type side struct {
	*Profile
	by    query.Column
	whole float64
	order []*Function // that have a figure, the largest first
	ranks map[uint64]int
}

func newSide(p *Profile, by query.Column) *side {
	s := &side{Profile: p, by: by, ranks: map[uint64]int{}}
	var whole analyze.Sum
	for i := range p.Functions {
		f := &p.Functions[i]
		if figure := s.figure(f); !figure.IsZero() {
			whole.AddSum(figure)
			s.order = append(s.order, f)
		}
	}
	s.whole = whole.Float64()
	slices.SortFunc(s.order, func(a, b *Function) int {
		return cmp.Or(s.figure(b).Compare(s.figure(a)), cmp.Compare(a.GUID, b.GUID))
	})
	for i, f := range s.order {
		rank := i + 1
		if i > 0 && s.figure(s.order[i-1]) == s.figure(f) {
			rank = s.ranks[s.order[i-1].GUID]
		}
		s.ranks[f.GUID] = rank
	}
	return s
}

func (s *side) figure(f *Function) analyze.Sum {
	if s.by == ByEntry {
		return f.Entry
	}
	return f.Total
}

func (s *side) share(f *Function) float64 {
	if s.whole == 0 {
		return 0
	}
	return s.figure(f).Float64() / s.whole
}

// topSizes are how many of the hottest functions are compared.
var topSizes = []int{10, 50, 100}

// tops compares the hottest functions; sizes that no profile reaches are left out.
func tops(sides [2]*side) (list []Top) {
	var told [2][]*Function
	for i, s := range sides {
		for _, f := range s.order {
			if other := sides[1-i]; other.tells(other.find(f.GUID)) {
				told[i] = append(told[i], f)
			}
		}
	}
	for i, n := range topSizes {
		if most := max(len(told[0]), len(told[1])); most == 0 || i > 0 && most <= topSizes[i-1] {
			break
		}
		top := Top{N: n, Base: min(n, len(told[0])), Test: min(n, len(told[1]))}
		among := map[uint64]bool{}
		for _, f := range told[1][:top.Test] {
			among[f.GUID] = true
			if sides[0].find(f.GUID).hot() {
				top.HotInBase++
			}
		}
		for _, f := range told[0][:top.Base] {
			if among[f.GUID] {
				top.Both++
			}
			if sides[1].find(f.GUID).hot() {
				top.HotInTest++
			}
		}
		list = append(list, top)
	}
	return list
}
