package sample

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"proflens/decode/model"
	"proflens/decode/sampleprof"
)

// Overlap is how much two profiles are alike, as llvm-profdata overlap --sample has it
// (sampleprof.md §10.5). Shares are from 0 to 1.
type Overlap struct {
	Similarity             float64
	Samples                float64 // overlap of samples
	UniqueBase, UniqueTest float64 // shares of samples that stand in one profile only
	SumBase, SumTest       uint64  // all counts
	Functions              Sets    // by name or context
	HotFunctions           Sets    // with a hot count
	HotBlocks              Sets    // places with a hot count
	Matched                []FunctionOverlap
}

// Sets are what two profiles have in common, and alone.
type Sets struct{ Common, Base, Test uint64 }

// Overlap is the share of what is common; 0 of nothing.
func (s Sets) Overlap() float64 { return ratio(s.Common, s.Common+s.Base+s.Test) }

// FunctionOverlap is a function that both profiles have.
type FunctionOverlap struct {
	Base, Test             int     // indices in Profile.Functions
	WeightBase, WeightTest float64 // shares of all counts
	Similarity             float64
	Samples                float64
	UniqueBase, UniqueTest float64
	SumBase, SumTest       uint64
	MaxTest                uint64 // the largest count in the test profile
}

// Comparable reports whether profiles with such flags can be compared place by place. The
// error is a [*model.FormatError] of kind incompatible where one has contexts or probes and
// the other has not.
func Comparable(base, test sampleprof.Flags) error {
	for _, unlike := range []struct {
		flag sampleprof.Flags
		what string
	}{{sampleprof.FullContexts, "calling contexts"}, {sampleprof.Probes, "pseudo probes"}} {
		if base.Has(unlike.flag) != test.Has(unlike.flag) {
			return &model.FormatError{Kind: model.KindIncompatible, Section: "header", Msg: fmt.Sprintf("one has %s and the other has not", unlike.what)}
		}
	}
	return nil
}

// OverlapOf compares two profiles; Matched is by weight in the base, descending. The error
// is that of [Comparable].
func OverlapOf(base, test *sampleprof.Profile) (*Overlap, error) {
	if err := Comparable(base.Flags, test.Flags); err != nil {
		return nil, err
	}
	c := &comparison{base: base, test: test, hotBase: HotThreshold(base), hotTest: HotThreshold(test), overlap: &Overlap{}}
	c.run()
	return c.overlap, nil
}

// comparison compares two profiles.
type comparison struct {
	base, test       *sampleprof.Profile
	hotBase, hotTest uint64
	overlap          *Overlap
	all              tally
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

func (c *comparison) run() {
	o := c.overlap
	tests := make(map[string]int, len(c.test.Functions))
	sumsTest := make([]Figures, len(c.test.Functions))
	for i, f := range c.test.Functions {
		tests[key(c.test, f)] = i
		sumsTest[i] = FiguresOf(f)
		o.SumTest += sumsTest[i].Sum
	}
	sumsBase := make([]Figures, len(c.base.Functions))
	for i, f := range c.base.Functions {
		sumsBase[i] = FiguresOf(f)
		o.SumBase += sumsBase[i].Sum
	}
	seen := make([]bool, len(c.test.Functions))
	for i, f := range c.base.Functions {
		n, ok := tests[key(c.base, f)]
		if !ok {
			c.only(f, sumsBase[i], c.hotBase, &o.Functions.Base, &o.HotFunctions.Base, &c.all.blocks.Base, &c.all.uniqueBase)
			continue
		}
		seen[n] = true
		o.Functions.Common++
		o.HotFunctions.place(sumsBase[i].Max >= c.hotBase, sumsTest[n].Max >= c.hotTest)
		c.match(i, n, sumsBase[i], sumsTest[n])
	}
	for n, f := range c.test.Functions {
		if !seen[n] {
			c.only(f, sumsTest[n], c.hotTest, &o.Functions.Test, &o.HotFunctions.Test, &c.all.blocks.Test, &c.all.uniqueTest)
		}
	}
	o.HotBlocks = c.all.blocks
	o.Samples = ratio(c.all.least, c.all.most)
	o.UniqueBase, o.UniqueTest = ratio(c.all.uniqueBase, o.SumBase), ratio(c.all.uniqueTest, o.SumTest)
	if math.Abs(o.Similarity-1) <= epsilon {
		o.Similarity = 1
	}
	slices.SortStableFunc(o.Matched, func(a, b FunctionOverlap) int {
		switch {
		case a.WeightBase > b.WeightBase:
			return -1
		case a.WeightBase < b.WeightBase:
			return 1
		}
		return 0
	})
}

// epsilon is what counts as nothing between shares.
const epsilon = 1e-6

// only counts a function that one profile has.
func (c *comparison) only(f *sampleprof.Function, g Figures, hot uint64, functions, hotFunctions, blocks, unique *uint64) {
	*functions++
	if g.Max >= hot {
		*hotFunctions++
	}
	*blocks += hotPlaces(f, g, hot)
	*unique += g.Sum
	c.all.most += g.Sum
}

// hotPlaces is how many places of a function that stands alone are hot; none where all
// its counts together are not.
func hotPlaces(f *sampleprof.Function, g Figures, hot uint64) (n uint64) {
	if g.Sum < hot {
		return 0
	}
	var walk func(f *sampleprof.Function)
	walk = func(f *sampleprof.Function) {
		for i := range f.Body {
			if f.Body[i].Count >= hot {
				n++
			}
		}
		for _, s := range f.Sites {
			walk(s.Callee)
		}
	}
	walk(f)
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
func (c *comparison) match(base, test int, b, t Figures) {
	m := &matching{comparison: c, sumBase: float64(b.Sum), sumTest: float64(t.Sum)}
	m.functions(c.base.Functions[base], c.test.Functions[test])
	similarity := (2 - m.difference) / 2
	if math.Abs(similarity) <= epsilon {
		similarity = 0
	}
	f := FunctionOverlap{Base: base, Test: test, SumBase: b.Sum, SumTest: t.Sum, MaxTest: t.Max,
		WeightBase: ratio(b.Sum, c.overlap.SumBase), WeightTest: ratio(t.Sum, c.overlap.SumTest),
		Samples: ratio(m.least, m.most), UniqueBase: ratio(m.uniqueBase, b.Sum), UniqueTest: ratio(m.uniqueTest, t.Sum)}
	f.Similarity = similarity * (1 - math.Abs(f.WeightBase-f.WeightTest))
	c.overlap.Similarity += f.Similarity * (f.WeightBase + f.WeightTest) / 2
	c.overlap.Matched = append(c.overlap.Matched, f)
	c.all.add(m.tally)
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
	m.blocks.place(order <= 0 && b >= m.hotBase, order >= 0 && t >= m.hotTest)
	m.difference += math.Abs(fraction(float64(b), m.sumBase) - fraction(float64(t), m.sumTest))
}

func (m *matching) sites(b, t *sampleprof.Function) {
	type site struct {
		at   sampleprof.Loc
		guid uint64
	}
	tests := make(map[site]*sampleprof.Function, len(t.Sites))
	for _, s := range t.Sites {
		tests[site{s.Loc, m.test.Names[s.Callee.Name].GUID()}] = s.Callee
	}
	for _, s := range b.Sites {
		at := site{s.Loc, m.base.Names[s.Callee.Name].GUID()}
		callee := tests[at]
		if callee == nil {
			m.alone(s.Callee, m.hotBase, m.sumBase, &m.uniqueBase, &m.blocks.Base)
			continue
		}
		delete(tests, at)
		m.functions(s.Callee, callee)
	}
	for _, s := range t.Sites {
		if tests[site{s.Loc, m.test.Names[s.Callee.Name].GUID()}] != nil {
			m.alone(s.Callee, m.hotTest, m.sumTest, &m.uniqueTest, &m.blocks.Test)
		}
	}
}

// alone counts a callee that one of the functions inlined.
func (m *matching) alone(f *sampleprof.Function, hot uint64, sum float64, unique, blocks *uint64) {
	g := FiguresOf(f)
	*unique += g.Sum
	*blocks += hotPlaces(f, g, hot)
	m.most += g.Sum
	m.difference += fraction(float64(g.Sum), sum)
}

// key is equal for functions of one name, or context, also where one profile has hashes
// for names.
func key(p *sampleprof.Profile, f *sampleprof.Function) string {
	if f.Context < 0 {
		return string(binary.LittleEndian.AppendUint64(nil, p.Names[f.Name].GUID()))
	}
	var b []byte
	frames := p.Contexts[f.Context]
	for i, frame := range frames {
		b = binary.LittleEndian.AppendUint64(b, p.Names[frame.Name].GUID())
		if i < len(frames)-1 {
			b = binary.LittleEndian.AppendUint32(b, frame.Loc.Offset)
			b = binary.LittleEndian.AppendUint32(b, frame.Loc.Discriminator)
		}
	}
	return string(b)
}

func ratio(a, b uint64) float64 { return fraction(float64(a), float64(b)) }

// fraction is a part of a whole; 0 of nothing.
func fraction(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
