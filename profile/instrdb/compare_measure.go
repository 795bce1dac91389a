package instrdb

import (
	"context"
	"math"
	"math/big"

	"proflens/analyze"
	"proflens/profile/query"
	"proflens/profile/table"
)

// ofRank is the total of a rank; nothing for rank 0.
func (t *totals) ofRank(rank uint32) analyze.Sum {
	if rank == 0 {
		return analyze.Sum{}
	}
	return t.at(rank - 1)
}

// measuring computes the change of share of every pair, and the figures, in chunks.
type measuring struct {
	*pairing
	base, test *totals
	parts      []measured
}

func (p *pairing) measuring(ctx context.Context, base, test *Profile) (*measuring, error) {
	b, err := base.totals(ctx)
	if err != nil {
		return nil, err
	}
	t, err := test.totals(ctx)
	if err != nil {
		return nil, err
	}
	p.change = make([]float64, len(p.pairs))
	p.figures = CompareFigures{BaseTotal: b.all, TestTotal: t.all}
	return &measuring{p, b, t, make([]measured, chunksOf(len(p.pairs)))}, nil
}

// add takes a pair whose state is known, and the low 64 bits of the total of its record in the test
// profile: the column has these too, but it takes time to look there.
func (m *measuring) add(chunk, i int, total uint64) {
	pair := m.pairs[i]
	inBase, inTest := m.base.ofRank(pair.base), analyze.Sum{Lo: total}
	if pair.test == 0 || m.test.high != nil {
		inTest = m.test.ofRank(pair.test)
	}
	m.change[i] = changeOf(m.base, m.test, inBase, inTest)
	m.parts[chunk].add(pair.state, inBase, inTest, m.change[i])
}

// end adds the chunks up.
func (m *measuring) end() {
	f := &m.figures
	for _, part := range m.parts {
		for i := range f.States {
			of := &f.States[i]
			of.Pairs += part.states[i].Pairs
			of.Base.AddSum(part.states[i].Base)
			of.Test.AddSum(part.states[i].Test)
		}
		f.Hotter += part.hotter
		f.Colder += part.colder
		f.Same += part.same
	}
}

// measured is what some pairs add to the figures.
type measured struct {
	states               [pairStates]StateFigures
	hotter, colder, same int
}

func (m *measured) add(state table.State, base, test analyze.Sum, change float64) {
	s := &m.states[state.Bit()]
	s.Pairs++
	s.Base.AddSum(base)
	s.Test.AddSum(test)
	switch {
	case state != table.Matched:
	case change > 0:
		m.hotter++
	case change < 0:
		m.colder++
	default:
		m.same++
	}
}

// closeShares is how near two shares must be, relatively, for their doubles not
// to tell which is larger.
const closeShares = 1e-12

// changeOf is the change of share from base to test. A profile that is a
// multiple of another has the very same shares, whatever doubles make of them.
func changeOf(base, test *totals, b, t analyze.Sum) float64 {
	from, to := query.Share(b, base.all), query.Share(t, test.all)
	if d := to - from; math.Abs(d) > closeShares*max(from, to) {
		return d
	}
	if from == to || bigProduct(t, base.all).Cmp(bigProduct(b, test.all)) == 0 {
		return 0
	}
	return to - from
}

func bigProduct(a, b analyze.Sum) *big.Int { return new(big.Int).Mul(bigOf(a), bigOf(b)) }

func bigOf(s analyze.Sum) *big.Int {
	n := new(big.Int).SetUint64(s.Hi)
	return n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(s.Lo))
}
