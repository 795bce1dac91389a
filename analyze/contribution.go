package analyze

import (
	"context"
	"math/bits"

	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
)

// Contribution is what one input has in a sum of several.
type Contribution struct {
	Functions     uint64 // records with a count
	Counters      uint64 // counters that are not 0
	Count         Sum    // of its counters, times its weight
	OnlyFunctions uint64 // records with a count that no other input has a count of
	OnlyCounters  uint64 // counters that are 0 in all other inputs
	// Overlap is how alike the input is to the sum of all others, from 0 to 1: for each
	// counter the smaller of its shares of both totals, added up, as llvm-profdata overlap
	// has it. Compared says that both have counts; else Overlap is 0.
	Overlap  float64
	Compared bool
}

// Contributions says what inputs have in a sum.
type Contributions struct {
	sum   *sums.Merged
	total Sum
}

// NewContributions takes the sum of all inputs.
func NewContributions(sum *sums.Merged) *Contributions {
	c := &Contributions{sum: sum}
	for f := range sum.Functions() {
		if !f.IsPseudo() {
			addAll(&c.total, f.Counters)
		}
	}
	return c
}

func addAll(s *Sum, counters []uint64) {
	for _, c := range counters {
		s.Add(c)
	}
}

// Of is the contribution of an input that was added with a weight. What others have is
// the sum less what it has; where the sum reached the highest count that can be more
// than it should. It may be called from several goroutines. The error is the source's,
// or the context's.
func (c *Contributions) Of(ctx context.Context, src instrprof.Source, weight uint64) (Contribution, error) {
	weight = max(weight, 1)
	var out Contribution
	for p, err := range c.sum.Beside(ctx, src) {
		if err != nil {
			return out, err
		}
		if !p.Sum.IsPseudo() && !p.Input.IsPseudo() {
			out.add(p, weight)
		}
	}
	rest := c.total
	if rest.Compare(out.Count) < 0 {
		rest = Sum{}
	} else {
		rest.Sub(out.Count)
	}
	if out.Compared = !out.Count.IsZero() && !rest.IsZero(); !out.Compared {
		return out, nil
	}
	of, others := out.Count.Float64(), rest.Float64()
	for p, err := range c.sum.Beside(ctx, src) {
		if err != nil {
			return out, err
		}
		if p.Sum.IsPseudo() || p.Input.IsPseudo() {
			continue
		}
		for i, in := range p.Input.Counters {
			if in > 0 {
				own := times(in, weight)
				out.Overlap += min(float64(own)/of, float64(p.Sum.Counters[i]-min(own, p.Sum.Counters[i]))/others)
			}
		}
	}
	return out, nil
}

// add adds a record.
func (c *Contribution) add(p sums.Pair, weight uint64) {
	ran, shared := false, false
	for i, in := range p.Input.Counters {
		sum := p.Sum.Counters[i]
		if in == 0 {
			shared = shared || sum > 0
			continue
		}
		ran = true
		own := times(in, weight)
		c.Counters++
		c.Count.Add(own)
		if own >= sum {
			c.OnlyCounters++
		} else {
			shared = true
		}
	}
	if ran {
		c.Functions++
		if !shared {
			c.OnlyFunctions++
		}
	}
}

// times is a count times a weight, at most the highest count.
func times(count, weight uint64) uint64 {
	hi, lo := bits.Mul64(count, weight)
	if hi > 0 {
		return instrprof.MaxCount
	}
	return min(lo, instrprof.MaxCount)
}
