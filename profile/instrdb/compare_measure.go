package instrdb

import (
	"context"
	"math"
	"math/big"

	"proflens/analyze"
	"proflens/internal/recovery"
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

// measure computes the change of share of every pair, and the figures.
func (p *pairing) measure(ctx context.Context, base, test *Profile) error {
	b, err := base.totals(ctx)
	if err != nil {
		return err
	}
	t, err := test.totals(ctx)
	if err != nil {
		return err
	}
	p.change = make([]float64, len(p.pairs))
	p.figures = CompareFigures{All: len(p.pairs), BaseTotal: b.all, TestTotal: t.all}
	parts := make([]measured, chunksOf(len(p.pairs)))
	err = eachChunk(ctx, "Comparing functions", len(p.pairs), func(chunk, first, last int) error {
		for i := first - 1; i < last; i++ {
			pair := p.pairs[i]
			inBase, inTest := b.ofRank(pair.base), t.ofRank(pair.test)
			p.change[i] = changeOf(b, t, inBase, inTest)
			parts[chunk].add(pair.state, inBase, inTest, p.change[i])
		}
		return nil
	})
	for _, part := range parts {
		for i := range p.figures.States {
			of := &p.figures.States[i]
			of.Pairs += part.states[i].Pairs
			of.Base.AddSum(part.states[i].Base)
			of.Test.AddSum(part.states[i].Test)
		}
		p.figures.Hotter += part.hotter
		p.figures.Colder += part.colder
		p.figures.Same += part.same
	}
	return err
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

// arrange brings the pairs into the default order: the largest change first,
// of either sign, then by rank in the base and in the test profile, as they are. A missing
// side comes last.
func (p *pairing) arrange(ctx context.Context) error {
	ids := query.All(len(p.pairs))
	query.SortBy(ids, func(i uint32) uint64 { return ^math.Float64bits(math.Abs(p.change[i])) })
	both, _ := recovery.WithContext(ctx)
	both.Go(func() error { p.pairs = picked(p.pairs, ids); return nil })
	both.Go(func() error { p.change, p.likeness = picked(p.change, ids), picked(p.likeness, ids); return nil })
	return both.Wait()
}

// picked are the elements of these places.
func picked[T any](list []T, places []uint32) []T {
	taken := make([]T, len(places))
	for i, at := range places {
		taken[i] = list[at]
	}
	return taken
}
