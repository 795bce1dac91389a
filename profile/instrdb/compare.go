package instrdb

import (
	"context"

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
	pairs   []pair    // by rank in the base profile, then those without by rank in the test profile
	change  []float64 // of share of the total, test minus base
	plain   *Overlap  // of the plain records
	figures CompareFigures
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
// reads both whole; the result is kept in the cache, 20 bytes a pair. The error
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
		return p, int64(len(p.pairs)) * (12 + 8), nil
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
	both, err := holdBoth(ctx, base, test, true)
	if err != nil {
		return nil, err
	}
	p := &pairing{}
	if p.pairs, err = pairsOf(ctx, both); err != nil {
		return nil, err
	}
	m, err := p.measuring(ctx, base, test)
	if err != nil {
		return nil, err
	}
	p.plain, err = p.overlap(ctx, both, &scorer{changed: true, measures: m})
	m.end()
	return p, err
}
