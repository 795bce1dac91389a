package sampledb

import (
	"context"

	"proflens/decode/sampleprof"
)

// Inlined is a function as it is where it was inlined into others, all places added up; nil
// where it was not. It looks at the whole profile. The error is the context's, or about the
// file.
func (p *Profile) Inlined(ctx context.Context, n *Name) (*sampleprof.Function, error) {
	if n.InlinedAt == 0 {
		return nil, nil
	}
	id := sampleprof.NameID(n.ID - 1)
	var sum *sampleprof.Function
	err := p.eachNode(ctx, func(_ int, node *node) {
		if node.parent < 0 || node.f.Name != id {
			return
		}
		if sum == nil {
			sum = &sampleprof.Function{Name: id, Context: -1}
		}
		sampleprof.Accumulate(sum, node.f)
	})
	if err != nil || sum == nil {
		return nil, err
	}
	return sum, p.settle(ctx, sum)
}

// settle brings a function whose records were added up into order.
func (p *Profile) settle(ctx context.Context, f *sampleprof.Function) error {
	all, err := p.Names(ctx)
	if err != nil {
		return err
	}
	of := &sampleprof.Profile{Names: make([]sampleprof.Name, len(all)), Functions: []*sampleprof.Function{f}}
	for i := range all {
		of.Names[i] = all[i].text()
	}
	of.Settle()
	return nil
}
