package ranks

import (
	"cmp"
	"slices"

	"proflens/analyze"
	"proflens/profile/query"
	"proflens/profile/table"
)

// What functions are ranked by.
const (
	ByTotal query.Column = "total"
	ByEntry query.Column = "entry"
)

// The states that functions have besides those of all comparisons.
const (
	// hot in the base profile and not in the test profile, as far as that tells
	HotInBase table.State = table.OwnState << iota
	HotInTest             // the other way round
)

// Row is a function in both profiles.
type Row struct {
	table.State       `col:"state" width:"12" head:"What changed"`
	table.Name        `col:"name" head:"Function" parts:"name,name_hex,linkage_name,demangled,path" is:"sort,up,words"`
	table.Move        `col:"change" width:"9" is:"part"`
	RankChange        float64  `col:"rank_change" head:"Rank, B − A" is:"page,sort,signed,size"`
	_                 struct{} `help:"difference between its ranks"`
	table.Sides[Side] `pair:"fid,share,rank,total,entry,heat"`
}

// Side is a function in one of the two profiles.
type Side struct {
	*Function
	FID   uint64  `col:"fid" width:"16" is:"hex,key,script"`
	Share float64 `col:"share" width:"10" is:"part,script"` // of what functions are ranked by
	// Rank is its place among the functions of its profile, from 1; 0 where it has none.
	// Equals share the first place.
	Rank  int         `col:"rank" width:"9" is:"omitzero,sort,up,range" by:"rank_change"`
	_     struct{}    `help:"place among the functions; sorts by the difference"`
	Total analyze.Sum `col:"total" width:"20" is:"sort,range" help:"what ran in it, wherever its code is"`
	Entry analyze.Sum `col:"entry" width:"20" is:"sort,range" help:"times it was entered, also where it is inlined"`
	Heat  Heat        `col:"heat" width:"9" is:"omitzero" help:"by the thresholds of its profile"`
}

// Compared is the table of functions in two profiles.
var Compared = table.Declare[Row](table.Declaration{
	About: "A function in two profiles of different families.", Noun: "function", All: true,
	Usual: "-abs_change", Show: "name change base test base_rank test_rank state",
	Text: "change base_share test_share base_rank test_rank base_heat test_heat state demangled",
	States: slices.Concat(table.States[:2], []table.StateWord{
		{Word: "only_base", Label: "only in A", Tag: "only in A"}, {Word: "only_test", Label: "only in B", Tag: "only in B"},
		{Word: "hot_base", Label: "hot in A, not in B"}, {Word: "hot_test", Label: "hot in B, not in A"},
	}),
})

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
	*table.Moves[*Row]
	By     query.Column
	Common int // functions that both have
	// Agreement is the rank correlation of these, see [analyze.RankCorrelation].
	Agreement float64
	Ranked    bool // there is one
	Tops      []Top
}

// Compare pairs functions by linkage name, and measures them by ByTotal or ByEntry. Those
// without a figure that only one profile has are left out.
func Compare(base, test *Profile, by query.Column) *Comparison {
	c := &Comparison{By: by}
	sides := [2]*side{newSide(base, by), newSide(test, by)}
	rows := table.Pairs(sides[0].rows(), sides[1].rows(),
		func(f *Side) analyze.Keyed { return analyze.Keyed{Key: f.GUID} },
		func(both table.Sides[Side]) *Row { return newRow(both, sides) })
	kept := rows[:0]
	var figures [2][]float64
	for _, r := range rows {
		if r.Base != nil && r.Test != nil {
			figures[0], figures[1] = append(figures[0], r.InBase), append(figures[1], r.InTest)
		} else if r.InBase == 0 && r.InTest == 0 {
			continue
		}
		kept = append(kept, r)
	}
	c.Common = len(figures[0])
	c.Agreement, c.Ranked = analyze.RankCorrelation(figures[0], figures[1])
	c.Tops = tops(sides)
	c.Moves = table.NewMoves(Compared, kept)
	return c
}

func newRow(both table.Sides[Side], sides [2]*side) *Row {
	r := &Row{Sides: both, State: both.State(), Move: both.Move(func(s *Side) float64 { return s.Share })}
	r.Name = both.Called(func(s *Side) table.Name { return table.Name{Ref: s.GUID, PGO: string(s.Linkage)} })
	if r.State == table.Matched && r.Base.Rank > 0 && r.Test.Rank > 0 {
		r.RankChange = float64(r.Test.Rank - r.Base.Rank)
	}
	hot := func(s *Side) bool { return s != nil && s.Function.hot() }
	switch b, t := r.Base, r.Test; {
	case hot(b) && !hot(t) && (t != nil || sides[1].Sampled):
		r.State |= HotInBase
	case hot(t) && !hot(b) && (b != nil || sides[0].Sampled):
		r.State |= HotInTest
	}
	return r
}

func (f *Function) hot() bool { return f != nil && f.Heat == Hot }

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

// rows are the functions of the profile with their figures.
func (s *side) rows() []Side {
	list := make([]Side, len(s.Functions))
	for i := range s.Functions {
		f := &s.Functions[i]
		list[i] = Side{Function: f, FID: f.ID, Share: s.share(f), Rank: s.ranks[f.GUID], Total: f.Total, Entry: f.Entry,
			Heat: f.Heat}
	}
	return list
}

// topSizes are how many of the hottest functions are compared.
var topSizes = []int{10, 50, 100}

// tops compares the hottest functions; sizes that no profile reaches are left out.
func tops(sides [2]*side) (list []Top) {
	var told [2][]*Function
	for i, s := range sides {
		for _, f := range s.order {
			if other := sides[1-i]; other.Sampled || other.find(f.GUID) != nil { // it says how hot the function is
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
