package memprofdb

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"proflens/decode/memprof"
	"proflens/profile/budget"
	"proflens/profile/calltree"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// join makes one index of two: the contexts of the second stand behind those of the
// first, and a function that both have is one. Modules of the second are numbered
// behind those of the first, of which there are so many.
func join(a, b *index, modules int, pair string) *index {
	x := &index{pair: pair, overview: &Overview{}, byFID: make(map[uint64]uint32, len(a.byFID)+len(b.byFID))}
	*x.overview = *a.overview
	x.overview.Deepest = max(a.overview.Deepest, b.overview.Deepest)
	x.overview.Schema = a.overview.Schema | b.overview.Schema
	x.functions = slices.Clone(a.functions)
	maps.Copy(x.byFID, a.byFID)
	of := make([]uint32, len(b.functions)) // of the second's functions
	same := sameFunctions(a, b)
	for i, f := range b.functions {
		n, ok := same[uint32(i)]
		if !ok {
			if n = uint32(len(x.functions)); f.Module >= 0 {
				f.Module += modules
			}
			if _, taken := x.byFID[f.FID]; !taken {
				x.byFID[f.FID] = n
			}
			x.functions = append(x.functions, f)
		} else if x.functions[n].Name == "" {
			x.functions[n].Name = f.Name
		}
		of[i] = n
	}
	x.files = slices.Concat(a.files, b.files)
	x.function = slices.Clone(a.function)
	for _, f := range b.function {
		x.function = append(x.function, of[f])
	}
	shifted := func(first, second []int32, by int) []int32 {
		list := slices.Concat(first, second)
		for i, v := range second {
			if v >= 0 {
				list[len(first)+i] += int32(by)
			}
		}
		return list
	}
	x.path = shifted(a.path, b.path, len(a.files))
	x.line, x.lineOffset = slices.Concat(a.line, b.line), slices.Concat(a.lineOffset, b.lineOffset)
	x.column, x.discriminator = slices.Concat(a.column, b.column), slices.Concat(a.discriminator, b.discriminator)
	x.inline = query.NewBitset(len(x.function))
	for i := range uint32(len(x.function)) {
		if n := uint32(len(a.function)); i < n && a.inline.Has(i) || i >= n && b.inline.Has(i-n) {
			x.inline.Set(i)
		}
	}
	x.frame = slices.Clone(a.frame)
	for _, f := range b.frame {
		x.frame = append(x.frame, f+uint32(len(a.function)))
	}
	x.caller = shifted(a.caller, b.caller, len(a.frame))
	x.depth = slices.Concat(a.depth, b.depth)
	c := &x.contexts
	c.address = slices.Concat(a.contexts.address, b.contexts.address)
	c.id = slices.Concat(a.contexts.id, b.contexts.id)
	c.stack = shifted(a.contexts.stack, b.contexts.stack, len(a.frame))
	c.schema = slices.Concat(a.contexts.schema, b.contexts.schema)
	for field := range c.values {
		first, second := a.contexts.values[field], b.contexts.values[field]
		if first == nil && second == nil {
			continue
		}
		list := make([]uint64, len(c.stack))
		copy(list, first)
		copy(list[len(a.contexts.stack):], second)
		c.values[field] = list
	}
	return x
}

// joined is that of two profiles, from the cache when it was made before.
func joined(ctx context.Context, base, test *Profile) (*index, error) {
	return stored.Cached(ctx, base.Profile, "memprof joined "+test.ID(), func() (*index, int64, error) {
		a, err := base.index(ctx)
		if err != nil {
			return nil, 0, err
		}
		b, err := test.index(ctx)
		if err != nil {
			return nil, 0, err
		}
		modules, err := base.Modules(ctx)
		if err != nil {
			return nil, 0, err
		}
		if err := budget.Take(ctx, a.bytes()+b.bytes()); err != nil {
			return nil, 0, err
		}
		x := join(a, b, len(modules), " and "+test.ID())
		return x, x.bytes(), nil
	})
}

// CompareFlame is the flame graph of two heaps put on each other. Each node has what
// both have of it. Errors are those of FlameGraph.
func CompareFlame(ctx context.Context, base, test *Profile, q FlameQuery) (*FlameGraph, error) {
	q.Weight = cmp.Or(q.Weight, WeightBytes)
	a, chosenA, err := base.selected(ctx, &q.Filter)
	if err != nil {
		return nil, err
	}
	_, chosenB, err := test.selected(ctx, &q.Filter)
	if err != nil {
		return nil, err
	}
	x, err := joined(ctx, base, test)
	if err != nil {
		return nil, err
	}
	chosen, first := query.NewBitset(len(x.contexts.stack)), uint32(len(a.contexts.stack))
	for _, i := range chosenA.ids {
		chosen.Set(i)
	}
	for _, i := range chosenB.ids {
		chosen.Set(first + i)
	}
	s := base.stacks(x, q.Fold)
	s.Compared, s.Test = true, first
	g, err := calltree.Of(ctx, s, chosen, q.Weight.Of, q.Query)
	if err != nil {
		return nil, err
	}
	both := &FlameGraph{
		Graph: *g, Weight: q.Weight, Known: q.Weight.Known(base.Overview.Schema) && q.Weight.Known(test.Overview.Schema),
		All: base.Overview.MemProfTotals,
	}
	both.All.AddTotals(&test.Overview.MemProfTotals)
	return both, nil
}

// CommonSchema are the fields that both heaps have.
func CommonSchema(base, test *Profile) memprof.MIBSchema {
	return base.Overview.Schema & test.Overview.Schema
}
