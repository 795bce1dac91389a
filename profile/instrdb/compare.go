package instrdb

import (
	"context"
	"slices"

	"proflens/analyze"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// pair is a row of a comparison: a record of each profile. Of records of one
// name those of the same hash are paired, then the others in the order of
// their ranks, plain ones with plain ones; a record that is left over has no
// other side, and still counts as changed.
type pair struct {
	base, test uint32 // ranks, from 1; 0 for none
	// state is Matched where both have the name and the FuncHash, Changed where the hash or the
	// shape of the record differs, or of the one profile that has the name.
	state   table.State
	renamed bool // of two names; see pairRenamed
}

// pairing is what is computed of two profiles, once. It is immutable.
type pairing struct {
	pairs    []pair    // in the default order: by change of share, the largest first, of either sign
	change   []float64 // of share of the total, test minus base
	likeness []float64 // score of the records' counters by their own sums; -1 where there is none
	plain    *Overlap  // of the plain records
	figures  CompareFigures
}

// StateFigures are the pairs of one state, and what they hold.
type StateFigures struct {
	Pairs      int
	Base, Test analyze.Sum // of counters
}

// pairStates is how many states pairs have.
const pairStates = 4

// CompareFigures are the figures of a comparison.
type CompareFigures struct {
	All                  int                      // pairs
	States               [pairStates]StateFigures // by bit
	Hotter, Colder       int                      // matched pairs by the sign of their change of share
	Same                 int                      // matched pairs of the very same share
	BaseTotal, TestTotal analyze.Sum              // of the profiles
}

// Comparison is two profiles side by side, for as long as both are open.
type Comparison struct {
	Base, Test *Profile
	*pairing
}

// Compare pairs the records of two profiles. The first call for two profiles
// reads both whole; the result is kept in the cache, 28 bytes a pair. The error
// is the context's, or about the files; stored.ErrNoPart for a profile that is
// still being stored.
func Compare(ctx context.Context, base, test *Profile) (*Comparison, error) {
	if base.Storing() || test.Storing() {
		return nil, stored.ErrNoPart
	}
	p, err := stored.Cached(ctx, base.Profile, "pairs "+test.ID(), func() (*pairing, int64, error) {
		p, err := newPairing(ctx, base, test)
		if err != nil {
			return nil, 0, err
		}
		return p, int64(len(p.pairs)) * (12 + 8 + 8), nil
	})
	return &Comparison{base, test, p}, err
}

// Figures are those of the whole comparison.
func (c *Comparison) Figures() CompareFigures { return c.figures }

// Held is what the pairs in a state hold, as shares of the profiles' totals.
func (c *Comparison) Held(s table.State) table.Held {
	f, of := &c.figures, c.figures.States[s.Bit()]
	return table.Held{Rows: of.Pairs, Base: query.Share(of.Base, f.BaseTotal), Test: query.Share(of.Test, f.TestTotal)}
}

func newPairing(ctx context.Context, base, test *Profile) (*pairing, error) {
	p := &pairing{}
	both, err := holdBoth(ctx, base, test, slices.Concat(joined, compared)...)
	if err != nil {
		return nil, err
	}
	both.base.keep(compared...)
	both.test.keep(compared...)
	if p.pairs, err = pairsOf(ctx, both.base, both.test); err != nil {
		return nil, err
	}
	p.likeness = make([]float64, len(p.pairs))
	if p.plain, err = p.overlap(ctx, both, false, true); err != nil {
		return nil, err
	}
	if err := p.measure(ctx, base, test); err != nil {
		return nil, err
	}
	stored.Report(ctx, "Sorting", 0, 0)
	return p, p.arrange(ctx)
}
