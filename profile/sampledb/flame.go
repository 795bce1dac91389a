package sampledb

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"proflens/analyze"
	"proflens/names"
	"proflens/profile/budget"
	"proflens/profile/calltree"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// Totals are what stacks come to.
type Totals struct {
	Body  analyze.Sum // counts of the last frames
	Total analyze.Sum // totals of the last frames, less those of what is inlined into them
}

// Weight is what the widths of a flame graph are.
type Weight string

// The weights.
const (
	WeightBody  Weight = "body"
	WeightTotal Weight = "total"
)

// Weights are all of them, the usual one first.
var Weights = []Weight{WeightBody, WeightTotal}

// Of is the weight of totals.
func (w Weight) Of(t *Totals) analyze.Sum {
	if w == WeightTotal {
		return t.Total
	}
	return t.Body
}

// FlameQuery asks for a flame graph.
type FlameQuery struct {
	Focus, Ignore  string // RE2 over names: stacks must have a frame that matches, and none
	Weight         Weight // empty is WeightBody
	Recursion      bool   // what stands between two calls of one function is left out
	calltree.Query        // in a layout, a part of it
}

// FlameGraph is the merged tree of a profile's calling contexts and inlined callees, or a
// part of it.
type FlameGraph struct {
	calltree.Graph[Name, Totals]
	Weight Weight
	All    Totals // of the profile
	Stacks int    // that are in it
}

// forest is all stacks of a profile: each ends at a node with its callers above it. Calling
// contexts that begin as the one before have the nodes of that in common. It is immutable.
type forest struct {
	parent []int32 // of nodes, which stand behind theirs; -1 of a root
	name   []uint32
	inline query.Bitset

	node  []int32 // of stacks: where they end
	depth []uint32
	body  []uint64
	total []uint64
	all   Totals
}

// What a node and a stack of a forest take in memory; and that many times while it grows: what
// stands in a list, what it was copied from, and what is not collected yet.
const (
	forestNode  = 4 + 4 + 1
	forestStack = 4 + 4 + 8 + 8
	growthCost  = 3
)

// growing is a forest while it is made.
type growing struct {
	*forest
	inlined []bool
	path    []int32 // nodes of the stack that was read last
}

// stack adds a stack.
func (g *growing) stack(s *Stack) {
	last := len(s.Names) - 1
	// The frames above stand there already where they are a function and what is inlined
	// into it, and as far as a calling context begins as the one before.
	kept := min(last, len(g.path))
	if !s.Inlined[last] {
		for same := 0; same < kept; same++ {
			if at := g.path[same]; g.name[at] != s.Names[same] || g.inlined[at] {
				kept = same
			}
		}
	}
	g.path = g.path[:kept]
	for at := kept; at < len(s.Names); at++ {
		parent := int32(-1)
		if at > 0 {
			parent = g.path[at-1]
		}
		g.path = append(g.path, int32(len(g.name)))
		g.parent, g.name = append(g.parent, parent), append(g.name, s.Names[at])
		g.inlined = append(g.inlined, s.Inlined[at])
	}
	g.node, g.depth = append(g.node, g.path[len(g.path)-1]), append(g.depth, uint32(len(s.Names)))
	g.body, g.total = append(g.body, s.Body), append(g.total, s.Total)
	g.all.Body.Add(s.Body)
	g.all.Total.Add(s.Total)
}

// forest reads the stacks, from the cache when they were read before.
func (p *Profile) forest(ctx context.Context) (*forest, error) {
	return stored.Cached(ctx, p.Profile, "sample forest", func() (*forest, int64, error) {
		f := &forest{}
		g := &growing{forest: f}
		m := budget.NewMeter(ctx)
		err := p.EachStack(ctx, func(s *Stack) error {
			before := len(f.name)
			g.stack(s)
			return m.Add(growthCost * ((len(f.name)-before)*forestNode + forestStack))
		})
		f.inline = query.NewBitset(len(g.inlined))
		for i, yes := range g.inlined {
			if yes {
				f.inline.Set(uint32(i))
			}
		}
		return f, int64(len(f.name))*forestNode + int64(len(f.node))*forestStack, err
	})
}

// FlameGraph returns a merged call tree, cut to what is asked for: the widest nodes that
// fit. Errors are stored.ErrNoPart for a function or a node that is not in it, that of
// names.NewMatcher for a pattern, the context's, or about the file.
func (p *Profile) FlameGraph(ctx context.Context, q FlameQuery) (*FlameGraph, error) {
	q.Weight = cmp.Or(q.Weight, WeightBody)
	x, err := p.index(ctx)
	if err != nil {
		return nil, err
	}
	f, err := p.forest(ctx)
	if err != nil {
		return nil, err
	}
	chosen, n, err := f.choose(x, &q)
	if err != nil {
		return nil, err
	}
	g, err := calltree.Of(ctx, p.stacks(x, f, q.Recursion), chosen, q.Weight.Of, q.Query)
	if err != nil {
		return nil, err
	}
	return &FlameGraph{Graph: *g, Weight: q.Weight, All: f.all, Stacks: n}, nil
}

// choose finds the stacks that a query has; nil for all.
func (f *forest) choose(x *index, q *FlameQuery) (query.Bitset, int, error) {
	if q.Focus == "" && q.Ignore == "" {
		return nil, len(f.node), nil
	}
	has := func(pattern string) ([]bool, error) {
		matches, err := x.matching(pattern)
		if matches == nil {
			return nil, err
		}
		nodes := make([]bool, len(f.name))
		for i := range nodes {
			nodes[i] = matches[f.name[i]] || f.parent[i] >= 0 && nodes[f.parent[i]]
		}
		return nodes, nil
	}
	focus, err := has(q.Focus)
	if err != nil {
		return nil, 0, err
	}
	ignore, err := has(q.Ignore)
	if err != nil {
		return nil, 0, err
	}
	chosen, n := query.NewBitset(len(f.node)), 0
	for i, at := range f.node {
		if (focus == nil || focus[at]) && (ignore == nil || !ignore[at]) {
			chosen.Set(uint32(i))
			n++
		}
	}
	return chosen, n, nil
}

// stacks are those of a forest, for a call tree.
func (p *Profile) stacks(x *index, f *forest, recursion bool) *calltree.Stacks[Name, Totals] {
	return &calltree.Stacks[Name, Totals]{
		Profile: p.Profile, Key: "sample " + query.CacheKey(recursion), Len: len(f.node), Recursion: recursion,
		Depth:     func(i uint32) int { return int(f.depth[i]) },
		Functions: x.names, FID: func(n *Name) uint64 { return n.GUID },
		Compare: func(a, b *Name) int {
			return cmp.Or(bytes.Compare(a.Linkage, b.Linkage), cmp.Compare(a.GUID, b.GUID))
		},
		Find: func(fid uint64) (uint32, bool) {
			n, ok := x.byGUID[fid]
			return uint32(n), ok
		},
		Open: func(context.Context) (calltree.Append, error) { return f.append, nil },
		Add: func(to *Totals, i uint32) {
			to.Body.Add(f.body[i])
			to.Total.Add(f.total[i])
		},
		Sub: func(from, part *Totals) {
			from.Body.Sub(part.Body)
			from.Total.Sub(part.Total)
		},
	}
}

// append implements calltree.Append.
func (f *forest) append(list []uint32, inline []bool, i uint32) ([]uint32, []bool) {
	from := len(list)
	for at := f.node[i]; at >= 0; at = f.parent[at] {
		list, inline = append(list, f.name[at]), append(inline, f.inline.Has(uint32(at)))
	}
	slices.Reverse(list[from:])
	slices.Reverse(inline[from:])
	return list, inline
}

// matching tells which names match a pattern; nil for an empty one.
func (x *index) matching(pattern string) ([]bool, error) {
	if pattern == "" {
		return nil, nil
	}
	m, err := names.NewMatcher("", pattern)
	if err != nil {
		return nil, err
	}
	matches := make([]bool, len(x.names))
	for i := range x.names {
		matches[i] = m.Match(x.names[i].Linkage)
	}
	return matches, nil
}

// EachChosen visits the stacks that a query has, with the names of the profile; see
// EachStack.
func (p *Profile) EachChosen(ctx context.Context, q *FlameQuery, visit func(s *Stack, all []Name) error) error {
	x, err := p.index(ctx)
	if err != nil {
		return err
	}
	focus, err := x.matching(q.Focus)
	if err != nil {
		return err
	}
	ignore, err := x.matching(q.Ignore)
	if err != nil {
		return err
	}
	collapser := (*calltree.Collapser)(nil)
	if q.Recursion {
		collapser = calltree.NewCollapser(len(x.names))
	}
	var chosen Stack
	return p.EachStack(ctx, func(s *Stack) error {
		has := func(matches []bool) bool {
			return slices.ContainsFunc(s.Names, func(n uint32) bool { return matches[n] })
		}
		if s.Body == 0 && s.Total == 0 || focus != nil && !has(focus) || ignore != nil && has(ignore) {
			return nil
		}
		chosen.Names, chosen.Inlined = append(chosen.Names[:0], s.Names...), append(chosen.Inlined[:0], s.Inlined...)
		chosen.Names, chosen.Inlined = collapser.Collapse(chosen.Names, chosen.Inlined, 0)
		chosen.Body, chosen.Total = s.Body, s.Total
		return visit(&chosen, x.names)
	})
}
