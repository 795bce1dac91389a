package memprofdb

import (
	"cmp"
	"context"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// join makes one index of two: the contexts of the second stand behind those of the
// first, and a function that both have is one. Modules of the second are numbered
// behind those of the first, of which there are so many.
func join(a, b *index, modules int, pair string) *index {
	x := &index{pair: pair, overview: &Overview{}, byFID: make(map[uint64]uint32, len(a.byFID)+len(b.byFID))}
	*x.overview = *a.overview
	x.overview.Deepest = max(a.overview.Deepest, b.overview.Deepest)
	x.overview.Schema = a.overview.Schema | b.overview.Schema
	x.functions = append(make([]Function, 0, len(a.functions)+len(b.functions)), a.functions...)
	for fid, n := range a.byFID {
		x.byFID[fid] = n
	}
	of := make([]uint32, len(b.functions)) // of the second's functions
	for i, f := range b.functions {
		n, ok := x.byFID[f.FID]
		if !ok {
			if n = uint32(len(x.functions)); f.Module >= 0 {
				f.Module += modules
			}
			x.byFID[f.FID] = n
			x.functions = append(x.functions, f)
		} else if x.functions[n].Name == "" {
			x.functions[n].Name = f.Name
		}
		of[i] = n
	}
	x.files = append(append(x.files, a.files...), b.files...)
	x.function = append(x.function, a.function...)
	for _, f := range b.function {
		x.function = append(x.function, of[f])
	}
	shifted := func(first, second []int32, by int) []int32 {
		list := append(make([]int32, 0, len(first)+len(second)), first...)
		for _, v := range second {
			if v >= 0 {
				v += int32(by)
			}
			list = append(list, v)
		}
		return list
	}
	x.path = shifted(a.path, b.path, len(a.files))
	for _, column := range []struct {
		to           *[]uint32
		first, other []uint32
	}{{&x.line, a.line, b.line}, {&x.lineOffset, a.lineOffset, b.lineOffset}, {&x.column, a.column, b.column}, {&x.discriminator, a.discriminator, b.discriminator}} {
		*column.to = append(append(*column.to, column.first...), column.other...)
	}
	x.inline = query.NewBitset(len(x.function))
	for i := range uint32(len(x.function)) {
		if n := uint32(len(a.function)); i < n && a.inline.Has(i) || i >= n && b.inline.Has(i-n) {
			x.inline.Set(i)
		}
	}
	x.frame = append(x.frame, a.frame...)
	for _, f := range b.frame {
		x.frame = append(x.frame, f+uint32(len(a.function)))
	}
	x.caller = shifted(a.caller, b.caller, len(a.frame))
	x.depth = append(append(x.depth, a.depth...), b.depth...)
	c := &x.contexts
	c.address = append(append(c.address, a.contexts.address...), b.contexts.address...)
	c.id = append(append(c.id, a.contexts.id...), b.contexts.id...)
	c.stack = shifted(a.contexts.stack, b.contexts.stack, len(a.frame))
	c.schema = append(append(c.schema, a.contexts.schema...), b.contexts.schema...)
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
		x := join(a, b, len(modules), " and "+test.ID())
		return x, x.bytes(), nil
	})
}

// CompareFlame is the flame graph of two heaps put on each other. Each node has what
// both have of it. Its width is the larger side of each stack below it, added up, so
// that what is gone keeps its place. Errors are those of FlameGraph.
func CompareFlame(ctx context.Context, base, test *Profile, q FlameQuery) (*FlameGraph, error) {
	q.Layout, q.Weight = cmp.Or(q.Layout, LayoutCallees), cmp.Or(q.Weight, WeightBytes)
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
	g := &FlameGraph{Weight: q.Weight, Layout: q.Layout, Known: q.Weight.Known(base.Overview.Schema) && q.Weight.Known(test.Overview.Schema), Compared: true}
	g.All = base.Overview.MemProfTotals
	g.All.AddTotals(&test.Overview.MemProfTotals)
	g.Matching = chosenA.totals
	g.Matching.AddTotals(&chosenB.totals)
	return g, base.flameSides(ctx, x, chosen, &q, g, func(f *flame) { f.compare(first) })
}

// compare measures a flame graph of joined contexts, those from first on being the test
// profile's.
func (f *flame) compare(first uint32) {
	f.base, f.wide = make([]analyze.MemProfTotals, 1, len(f.ids)+1), make([]analyze.Sum, 1, len(f.ids)+1)
	var sides [2]analyze.MemProfTotals // of the stacks that are alike to the end
	for n, i := range f.ids {
		sum := f.base[n]
		side := 1
		if i < first {
			f.x.contexts.addTo(&sum, i)
			side = 0
		}
		f.base = append(f.base, sum)
		f.x.contexts.addTo(&sides[side], i)
		wide := f.wide[n]
		if n+1 == len(f.ids) || len(f.s.of(f.ids[n+1])) != len(f.s.of(i)) || int(f.common[n+1]) != len(f.s.of(i)) {
			larger, other := f.weight.Of(&sides[0]), f.weight.Of(&sides[1])
			if other.Compare(larger) > 0 {
				larger = other
			}
			wide.AddSum(larger)
			sides = [2]analyze.MemProfTotals{}
		}
		f.wide = append(f.wide, wide)
	}
}

// value is the width of a range of stacks.
func (f *flame) value(from, to int) analyze.Sum {
	if f.wide == nil {
		totals := f.totals(from, to)
		return f.weight.Of(&totals)
	}
	v := f.wide[to]
	v.Sub(f.wide[from])
	return v
}

// split gives a node of two heaps what each has of it.
func (f *flame) split(n *FlameNode, from, to int) {
	if f.base == nil {
		return
	}
	base := f.base[to]
	base.Sub(&f.base[from])
	n.Base = &base
	n.Totals.Sub(&base)
}

// CommonSchema are the fields that both heaps have.
func CommonSchema(base, test *Profile) memprof.MIBSchema {
	return base.Overview.Schema & test.Overview.Schema
}
