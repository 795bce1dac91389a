package tasks

import (
	"context"
	"fmt"

	"proflens/analyze"
	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/llvm"
	"proflens/decode/model"
	"proflens/internal/mmap"
)

// Contribution is what one profile has in a sum, as it travels: see
// [analyze.Contribution].
type Contribution struct {
	Functions, Counters         uint64
	Count                       string // decimal, since it can pass 64 bits
	OnlyFunctions, OnlyCounters uint64
	Overlap                     *float64 // nil where the profile, or all others, have no count
}

func newContribution(c *analyze.Contribution) Contribution {
	out := Contribution{c.Functions, c.Counters, c.Count.String(), c.OnlyFunctions, c.OnlyCounters, nil}
	if c.Compared {
		out.Overlap = &c.Overlap
	}
	return out
}

// leaveOut notes that an input is not in the sum.
func (h *Head) leaveOut(i int, t *Merge, err error) {
	if h.LeftOut == nil {
		h.LeftOut = make([]string, len(t.Inputs))
	}
	if h.LeftOut[i] = err.Error(); h.first == nil {
		h.first = err
	}
}

// mergeFleet adds counters up a few profiles at a time, then looks at each again for
// what it has in the sum. The error is [llvm.ErrNotCounters] for other profiles.
func (t *Merge) mergeFleet(ctx context.Context, head *Head) (*format.Profile, error) {
	faulty := llvm.Fail
	if t.LeaveOut {
		faulty = llvm.LeaveOut
	}
	fleet := llvm.NewFleet(llvm.FleetOptions{TakePartial: t.TakePartial, Faulty: faulty, Apart: true})
	programs := make([][]Program, len(t.Inputs))
	lazy := make([]decode.Lazy, len(t.Inputs))
	for i := range t.Inputs {
		lazy[i] = t.lazy(ctx, i, head, programs)
	}
	errs, err := decode.AddTo(ctx, fleet, faulty, lazy)
	if err != nil {
		return nil, err
	}
	kept := 0
	for i, err := range errs {
		if err != nil {
			head.leaveOut(i, t, err)
			lazy[i].Open, lazy[i].Profile = nil, nil
			continue
		}
		kept++
		head.Programs = append(head.Programs, programs[i]...)
	}
	if kept == 0 {
		return nil, head.first
	}
	if head.Contributions, err = contributions(ctx, fleet, lazy); err != nil {
		return nil, err
	}
	return fleet.Profile(false), nil
}

// lazy is an input of which the files are opened when its turn comes. What is known of
// it then goes to head and programs.
func (t *Merge) lazy(ctx context.Context, i int, head *Head, programs [][]Program) decode.Lazy {
	in := &t.Inputs[i]
	l := decode.Lazy{Name: in.Name, Weight: in.Weight}
	if len(in.Files) == 1 && !salvaged(in.Files) {
		l.Open = func() ([]byte, func(), error) {
			data, err := mmap.ReadFile(in.Files[0].Path)
			if err != nil {
				return nil, nil, fmt.Errorf("original %s: %w", in.Files[0].Name, err)
			}
			return data, func() { mmap.Release(data) }, nil
		}
		return l
	}
	l.Profile = func() (*format.Profile, func(), error) {
		files, closer, err := open(in.Files)
		if err != nil {
			return nil, nil, err
		}
		close := func() { _ = closer.Close() }
		p, err := decode.Open(ctx, files, format.Options{Salvage: salvaged(in.Files)})
		if err != nil {
			return nil, close, err
		}
		head.Partial[i] = p.Info.Partial
		programs[i] = programsOf(i, p, files, []model.Family{instrprof.Family})
		return p, close, nil
	}
	return l
}

// contributions are what the inputs have in the sum; those that have no way to be
// opened are left out of it.
func contributions(ctx context.Context, fleet *llvm.Fleet, inputs []decode.Lazy) ([]Contribution, error) {
	list := make([]Contribution, len(inputs))
	var kept []decode.Lazy
	var at []int
	for i, l := range inputs {
		if l.Open != nil || l.Profile != nil {
			kept, at = append(kept, l), append(at, i)
		}
	}
	of := analyze.NewContributions(fleet.Sum())
	err := decode.Again(ctx, fleet, kept, func(i int, src instrprof.Source) error {
		has, err := of.Of(ctx, src, kept[i].Weight)
		list[at[i]] = newContribution(&has)
		return err
	})
	return list, err
}
