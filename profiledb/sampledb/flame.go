package sampledb

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"proflens/analyze"
	"proflens/names"
	"proflens/profiledb/budget"
	"proflens/profiledb/calltree"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
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
// contexts that begin alike have the nodes of that in common. It is immutable.
type forest struct {
	parent []int32 // of nodes, which stand behind theirs; -1 of a root
	name   []uint32
	depth  []uint16
	inline query.Bitset

	node  []int32 // of stacks: where they end
	body  []uint64
	total []uint64
	all   Totals
}

// What a node and a stack of a forest take in memory while it is made, about.
const (
	forestNode  = 4 + 4 + 2 + 2 + 48 // with its place among those that are shared
	forestStack = 4 + 8 + 8
)

// forestKey tells the frames of calling contexts apart: a function below a node, -1 for none.
type forestKey struct {
	parent int32
	name   uint32
}

// growing is a forest while it is made.
type growing struct {
	*forest
	inlined []bool
	shared  map[forestKey]int32 // of frames of calling contexts
	path    []int32             // nodes of the stack that was read last
}

func (g *growing) add(parent int32, name uint32, inlined bool, depth int) int32 {
	at := int32(len(g.name))
	g.parent, g.name = append(g.parent, parent), append(g.name, name)
	g.depth, g.inlined = append(g.depth, uint16(min(depth, 1<<16-1))), append(g.inlined, inlined)
	return at
}

// frame is the node of a frame of a calling context.
func (g *growing) frame(parent int32, name uint32, depth int) int32 {
	key := forestKey{parent, name}
	at, ok := g.shared[key]
	if !ok {
		at = g.add(parent, name, false, depth)
		g.shared[key] = at
	}
	return at
}

// stack adds a stack.
func (g *growing) stack(s *Stack) {
	last := len(s.Names) - 1
	// All but the last frame stand there already where they are a function and what is
	// inlined into it; those of a calling context are looked for.
	if !s.Inlined[last] {
		g.path = g.path[:0]
		for i, name := range s.Names[:last] {
			g.path = append(g.path, g.frame(g.parentOf(i), name, i+1))
		}
	}
	g.path = g.path[:min(len(g.path), last)]
	g.path = append(g.path, g.add(g.parentOf(last), s.Names[last], s.Inlined[last], last+1))
	g.node, g.body, g.total = append(g.node, g.path[last]), append(g.body, s.Body), append(g.total, s.Total)
	g.all.Body.Add(s.Body)
	g.all.Total.Add(s.Total)
}

// parentOf is the node above a frame of the stack that is read.
func (g *growing) parentOf(at int) int32 {
	if at == 0 {
		return -1
	}
	return g.path[at-1]
}

// forest reads the stacks, from the cache when they were read before.
func (p *Profile) forest(ctx context.Context) (*forest, error) {
	return stored.Cached(ctx, p.Profile, "sample forest", func() (*forest, int64, error) {
		f := &forest{}
		g := &growing{forest: f, shared: map[forestKey]int32{}}
		m := budget.NewMeter(ctx)
		err := p.EachStack(ctx, func(s *Stack) error {
			before := len(f.name)
			g.stack(s)
			return m.Add((len(f.name)-before)*forestNode + forestStack)
		})
		f.inline = query.NewBitset(len(g.inlined))
		for i, yes := range g.inlined {
			if yes {
				f.inline.Set(uint32(i))
			}
		}
		return f, int64(len(f.name))*11 + int64(len(f.node))*forestStack, err
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
		Depth:     func(i uint32) int { return int(f.depth[f.node[i]]) },
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

// EachChosen visits the stacks that a query has, with the names of the profile; see
// EachStack.
func (p *Profile) EachChosen(ctx context.Context, q *FlameQuery, visit func(s *Stack, all []Name) error) error {
	x, err := p.index(ctx)
	if err != nil {
		return err
	}
	f, err := p.forest(ctx)
	if err != nil {
		return err
	}
	chosen, _, err := f.choose(x, q)
	if err != nil {
		return err
	}
	collapser := (*calltree.Collapser)(nil)
	if q.Recursion {
		collapser = calltree.NewCollapser(len(x.names))
	}
	var s Stack
	for i := range uint32(len(f.node)) {
		if i%stored.CheckEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if chosen != nil && !chosen.Has(i) || f.body[i] == 0 && f.total[i] == 0 {
			continue
		}
		s.Names, s.Inlined = f.append(s.Names[:0], s.Inlined[:0], i)
		s.Names, s.Inlined = collapser.Collapse(s.Names, s.Inlined, 0)
		s.Body, s.Total = f.body[i], f.total[i]
		if err := visit(&s, x.names); err != nil {
			return err
		}
	}
	return nil
}
