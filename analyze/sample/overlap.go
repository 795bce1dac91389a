package sample

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"

	"proflens/decode/sampleprof"
	"proflens/internal/recovery"
)

// Overlap is how much two profiles are alike, as llvm-profdata overlap --sample has it
// (sampleprof.md §10.5). Shares are from 0 to 1.
type Overlap struct {
	Similarity             float64
	Samples                float64           // overlap of samples
	UniqueBase, UniqueTest float64           // shares of samples that stand in one profile only
	SumBase, SumTest       uint64            // all counts
	Functions              Sets              // by name or context
	HotFunctions           Sets              // with a hot count
	HotBlocks              Sets              // places with a hot count
	Details                []FunctionOverlap // by weight in the base
}

// Sets are what two profiles have in common, and alone.
type Sets struct{ Common, Base, Test uint64 }

// Overlap is the share of what is common; 0 of nothing.
func (s Sets) Overlap() float64 { return ratio(s.Common, s.Common+s.Base+s.Test) }

// FunctionOverlap is a function of the test profile.
type FunctionOverlap struct {
	Base, Test             int     // indices of functions; Base is -1 where only the test profile has it
	WeightBase, WeightTest float64 // shares of all counts
	Similarity             float64
	Samples                float64
	UniqueBase, UniqueTest float64
	SumBase, SumTest       uint64
	MaxTest                uint64 // the largest count in the test profile
}

// OverlapOf compares two profiles, on every core; Details are by weight in the base,
// descending. Errors are that of [sampleprof.Flags.Comparable], the context's, and those of the readers.
func OverlapOf(ctx context.Context, base, test *Side) (*Overlap, error) {
	if err := base.Flags.Comparable(test.Flags, sampleprof.AllFlags); err != nil {
		return nil, err
	}
	c := &comparison{base: base, test: test, overlap: Overlap{SumBase: base.sum(), SumTest: test.sum()}}
	c.pair()
	return &c.overlap, c.run(ctx)
}

// comparison compares two profiles.
type comparison struct {
	base, test *Side
	matches    []int // by function of the base: the one of the test, or -1
	alone      []int // functions of the test that the base does not have
	overlap    Overlap
}

// tally adds up what two functions, or profiles, have in common.
type tally struct {
	least, most            uint64 // of the two counts of a place, added up
	uniqueBase, uniqueTest uint64
	blocks                 Sets
}

func (t *tally) add(u tally) {
	t.least += u.least
	t.most += u.most
	t.uniqueBase += u.uniqueBase
	t.uniqueTest += u.uniqueTest
	t.blocks.add(u.blocks)
}

func (s *Sets) add(t Sets) {
	s.Common += t.Common
	s.Base += t.Base
	s.Test += t.Test
}

// pair finds what both have.
func (c *comparison) pair() {
	tests := make(map[string]int, len(c.test.Keys))
	for i, key := range c.test.Keys {
		tests[key] = i
	}
	seen := make([]bool, len(c.test.Keys))
	c.matches = make([]int, len(c.base.Keys))
	for i, key := range c.base.Keys {
		n, ok := tests[key]
		if !ok {
			n = -1
		} else {
			seen[n] = true
		}
		c.matches[i] = n
	}
	for n := range seen {
		if !seen[n] {
			c.alone = append(c.alone, n)
		}
	}
}

// stretch is how many functions are compared at a time. Sums of fractions depend on their
// order: stretches are added up one after the other.
const stretch = 1024

// run compares the functions of the base, then those that only the test has.
func (c *comparison) run(ctx context.Context) error {
	parts := make([]part, (len(c.matches)+stretch-1)/stretch+1)
	g, within := recovery.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range parts {
		p := &parts[i]
		p.comparison, p.readBase, p.readTest = c, c.base.Reader(), c.test.Reader()
		g.Go(func() error {
			if err := within.Err(); err != nil {
				return err
			}
			if i == len(parts)-1 {
				return p.onlyTest()
			}
			return p.compare(i*stretch, min((i+1)*stretch, len(c.matches)))
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	var all tally
	o := &c.overlap
	for i := range parts {
		p := &parts[i]
		all.add(p.all)
		o.Functions.add(p.overlap.Functions)
		o.HotFunctions.add(p.overlap.HotFunctions)
		o.Similarity += p.overlap.Similarity
		o.Details = append(o.Details, p.overlap.Details...)
	}
	o.HotBlocks = all.blocks
	o.Samples = ratio(all.least, all.most)
	o.UniqueBase, o.UniqueTest = ratio(all.uniqueBase, o.SumBase), ratio(all.uniqueTest, o.SumTest)
	if math.Abs(o.Similarity-1) <= epsilon {
		o.Similarity = 1
	}
	slices.SortStableFunc(o.Details, func(a, b FunctionOverlap) int { return cmp.Compare(b.WeightBase, a.WeightBase) })
	return nil
}

// part is what one goroutine finds.
type part struct {
	*comparison
	overlap            Overlap
	all                tally
	readBase, readTest func(i int) (*sampleprof.Function, error)
}

// compare compares functions of the base.
func (p *part) compare(from, to int) error {
	o := &p.overlap
	for i := from; i < to; i++ {
		figures, n := p.base.Figures[i], p.matches[i]
		if n < 0 {
			err := p.only(p.readBase, i, figures, p.base.Hot, &o.Functions.Base, &o.HotFunctions.Base, &p.all.blocks.Base,
				&p.all.uniqueBase)
			if err != nil {
				return err
			}
			continue
		}
		o.Functions.Common++
		o.HotFunctions.place(figures.Max >= p.base.Hot, p.test.Figures[n].Max >= p.test.Hot)
		if err := p.match(i, n, figures, p.test.Figures[n]); err != nil {
			return err
		}
	}
	return nil
}

// onlyTest counts the functions that only the test has.
func (p *part) onlyTest() error {
	o := &p.overlap
	for _, n := range p.alone {
		err := p.only(p.readTest, n, p.test.Figures[n], p.test.Hot, &o.Functions.Test, &o.HotFunctions.Test,
			&p.all.blocks.Test, &p.all.uniqueTest)
		if err != nil {
			return err
		}
		f := p.test.Figures[n]
		o.Details = append(o.Details, FunctionOverlap{Base: -1, Test: n, SumTest: f.Sum, MaxTest: f.Max, UniqueTest: 1,
			WeightTest: ratio(f.Sum, p.comparison.overlap.SumTest)})
	}
	return nil
}

// epsilon is what counts as nothing between shares.
const epsilon = 1e-6

// only counts a function that one profile has. It is read where it may have hot places.
func (p *part) only(read func(int) (*sampleprof.Function, error), i int, g Figures, hot uint64, functions,
	hotFunctions, blocks, unique *uint64) error {
	*functions++
	if g.Max >= hot {
		*hotFunctions++
	}
	*unique += g.Sum
	p.all.most += g.Sum
	if g.Sum < hot {
		return nil
	}
	f, err := read(i)
	if err == nil {
		*blocks += hotPlaces(f, g, hot)
	}
	return err
}

// hotPlaces is how many places of a function that stands alone are hot; none where all
// its counts together are not.
func hotPlaces(f *sampleprof.Function, g Figures, hot uint64) (n uint64) {
	if g.Sum < hot {
		return 0
	}
	f.Each(func(f *sampleprof.Function) {
		for i := range f.Body {
			if f.Body[i].Count >= hot {
				n++
			}
		}
	})
	return n
}

// place counts something that both profiles have, by where it is hot.
func (s *Sets) place(base, test bool) {
	switch {
	case base && test:
		s.Common++
	case base:
		s.Base++
	case test:
		s.Test++
	}
}

// match compares a function that both profiles have.
func (p *part) match(base, test int, b, t Figures) error {
	inBase, err := p.readBase(base)
	if err != nil {
		return err
	}
	inTest, err := p.readTest(test)
	if err != nil {
		return err
	}
	m := &matching{comparison: p.comparison, sumBase: float64(b.Sum), sumTest: float64(t.Sum)}
	m.functions(inBase, inTest)
	similarity := (2 - m.difference) / 2
	if math.Abs(similarity) <= epsilon {
		similarity = 0
	}
	whole := &p.comparison.overlap
	f := FunctionOverlap{Base: base, Test: test, SumBase: b.Sum, SumTest: t.Sum, MaxTest: t.Max,
		WeightBase: ratio(b.Sum, whole.SumBase), WeightTest: ratio(t.Sum, whole.SumTest),
		Samples: ratio(m.least, m.most), UniqueBase: ratio(m.uniqueBase, b.Sum), UniqueTest: ratio(m.uniqueTest, t.Sum)}
	f.Similarity = similarity * (1 - math.Abs(f.WeightBase-f.WeightTest))
	p.overlap.Similarity += f.Similarity * (f.WeightBase + f.WeightTest) / 2
	p.overlap.Details = append(p.overlap.Details, f)
	p.all.add(m.tally)
	return nil
}

// matching compares two functions, and what they inlined.
type matching struct {
	*comparison
	tally
	sumBase, sumTest float64
	difference       float64
}

func (m *matching) functions(b, t *sampleprof.Function) {
	i, n := 0, 0
	for i < len(b.Body) || n < len(t.Body) {
		order := -1
		switch {
		case i == len(b.Body):
			order = 1
		case n < len(t.Body):
			order = b.Body[i].Compare(t.Body[n].Loc)
		}
		var countBase, countTest uint64
		if order <= 0 {
			countBase = b.Body[i].Count
			i++
		}
		if order >= 0 {
			countTest = t.Body[n].Count
			n++
		}
		m.counts(countBase, countTest, order)
	}
	m.sites(b, t)
}

// counts compares the counts of one place; order is negative for one that only the base
// has, positive for one that only the test has.
func (m *matching) counts(b, t uint64, order int) {
	m.least += min(b, t)
	m.most += max(b, t)
	if order < 0 {
		m.uniqueBase += b
	}
	if order > 0 {
		m.uniqueTest += t
	}
	m.blocks.place(order <= 0 && b >= m.base.Hot, order >= 0 && t >= m.test.Hot)
	m.difference += math.Abs(fraction(float64(b), m.sumBase) - fraction(float64(t), m.sumTest))
}

func (m *matching) sites(b, t *sampleprof.Function) {
	if len(b.Sites) == 0 && len(t.Sites) == 0 {
		return
	}
	type site struct {
		at   sampleprof.Loc
		guid uint64
	}
	tests := make(map[site]*sampleprof.Function, len(t.Sites))
	for _, s := range t.Sites {
		tests[site{s.Loc, m.test.GUIDs[s.Callee.Name]}] = s.Callee
	}
	for _, s := range b.Sites {
		at := site{s.Loc, m.base.GUIDs[s.Callee.Name]}
		callee := tests[at]
		if callee == nil {
			m.one(s.Callee, m.base.Hot, m.sumBase, &m.uniqueBase, &m.blocks.Base)
			continue
		}
		delete(tests, at)
		m.functions(s.Callee, callee)
	}
	for _, s := range t.Sites {
		if tests[site{s.Loc, m.test.GUIDs[s.Callee.Name]}] != nil {
			m.one(s.Callee, m.test.Hot, m.sumTest, &m.uniqueTest, &m.blocks.Test)
		}
	}
}

// one counts a callee that one of the functions inlined.
func (m *matching) one(f *sampleprof.Function, hot uint64, sum float64, unique, blocks *uint64) {
	g := Figures{Sum: sumOf(f)}
	*unique += g.Sum
	*blocks += hotPlaces(f, g, hot)
	m.most += g.Sum
	m.difference += fraction(float64(g.Sum), sum)
}

func ratio(a, b uint64) float64 { return fraction(float64(a), float64(b)) }

// fraction is a part of a whole; 0 of nothing.
func fraction(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
