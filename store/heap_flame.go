package store

import (
	"cmp"
	"context"
	"slices"

	"proflens/analyze"
	"proflens/decode/memprof"
)

// HeapWeight is what the widths of a flame graph stand for.
type HeapWeight string

// The weights.
const (
	WeightBytes       HeapWeight = "bytes"
	WeightAllocations HeapWeight = "allocations" // objects
	WeightLifetime    HeapWeight = "lifetime"    // bytes times the milliseconds that they lived
	WeightAccesses    HeapWeight = "accesses"
)

// HeapWeights are all of them, the default first.
var HeapWeights = []HeapWeight{WeightBytes, WeightAllocations, WeightLifetime, WeightAccesses}

// Of is the weight of totals.
func (w HeapWeight) Of(t *analyze.HeapTotals) analyze.Sum {
	switch w {
	case WeightAllocations:
		return t.Allocations
	case WeightLifetime:
		return t.ByteMS
	case WeightAccesses:
		return t.Accesses
	}
	return t.Bytes
}

// Unit is that of the numbers: bytes, objects, byte-milliseconds, accesses.
func (w HeapWeight) Unit() string {
	switch w {
	case WeightAllocations:
		return "objects"
	case WeightLifetime:
		return "byte-milliseconds"
	case WeightAccesses:
		return "accesses"
	}
	return "bytes"
}

// Known reports whether contexts of a schema have the weight.
func (w HeapWeight) Known(s memprof.MIBSchema) bool {
	switch w {
	case WeightAllocations:
		return s.Has(memprof.AllocCount)
	case WeightLifetime:
		return s.Has(memprof.TotalSize) && s.Has(memprof.TotalLifetime) && s.Has(memprof.AllocCount)
	case WeightAccesses:
		return s.Has(memprof.TotalAccessCount)
	}
	return s.Has(memprof.TotalSize)
}

// FlameLayout says how call stacks are laid out.
type FlameLayout string

// The layouts.
const (
	LayoutCallees  FlameLayout = "callees"  // from the root of the stacks to what allocates
	LayoutCallers  FlameLayout = "callers"  // from what allocates to the root
	LayoutSandwich FlameLayout = "sandwich" // around one function: its callers, and what it calls
)

// FlameLayouts are all of them, the default first.
var FlameLayouts = []FlameLayout{LayoutCallees, LayoutCallers, LayoutSandwich}

// FlameQuery asks for a flame graph.
type FlameQuery struct {
	HeapFilter             // contexts that are in it
	Weight     HeapWeight  // empty is bytes
	Layout     FlameLayout // empty is LayoutCallees
	Around     uint64      // FID of the function in the middle of a sandwich
	Zoom       uint64      // ID of the node to begin with; 0 is the root
	Limit      int         // nodes, at least 1; in a sandwich on either side
	Depth      int         // levels below the first node; 0 is no limit
	MinShare   float64     // of the first node: nodes of less are cut
}

// FlameGraph is a merged call tree, or a part of it. Contexts whose stacks have
// the same functions are one path of it, wherever in these functions the calls
// are.
type FlameGraph struct {
	Weight   HeapWeight
	Layout   FlameLayout
	Known    bool               // the profile has the weight; else all widths are 0
	All      analyze.HeapTotals // contexts of the profile
	Matching analyze.HeapTotals // that the filter selects; in a sandwich those of them with its function
	Around   *HeapFunction      // in the middle of a sandwich
	// Above are the nodes on the way to the first one, the root first; empty
	// without a zoom.
	Above []FlameNode
	// Nodes are in preorder, siblings by weight and name, the widest first. The
	// first one is the root, which has no function, the node that Zoom names, or
	// the function of a sandwich. Nothing that has no weight is among them.
	Nodes []FlameNode
	// Callers are the other side of a sandwich, laid out as LayoutCallers from
	// its function, the first one.
	Callers []FlameNode
	// Frames is how many nodes the whole tree has, below its root.
	Frames int
	// DepthLimit is how deep stacks are shown; deeper ones end there. It is 0
	// where all are shown whole.
	DepthLimit int
}

// FlameNode is a node of a merged call tree.
type FlameNode struct {
	ID       uint64 // its address: a hash of the path to it, which no order changes
	Parent   int    // index among the nodes; -1 for the first
	Depth    int    // 0 for the root of the tree
	Function *HeapFunction
	Inline   bool // inlined into its caller in every context
	Totals   analyze.HeapTotals
	Value    analyze.Sum // of the weight
	Self     analyze.Sum // part of Value that ends here: in LayoutCallees allocated by the function itself
	Children int         // nodes directly below
	Frames   int         // nodes below at any depth
	// Of the nodes directly below, those that are cut, how many nodes they are
	// with all below them, and their value. Zoom shows them.
	CutChildren, CutFrames int
	CutValue               analyze.Sum
}

// FlameGraph returns a merged call tree, cut to what is asked for: the widest
// nodes that fit.
//
// Errors are ErrNotFound for a profile without a heap profile, and for a
// function or a node that is not in it; those of Allocations for the filter.
func (p *Profile) FlameGraph(ctx context.Context, q FlameQuery) (*FlameGraph, error) {
	q.Layout, q.Weight = cmp.Or(q.Layout, LayoutCallees), cmp.Or(q.Weight, WeightBytes)
	h, err := p.heapIndex(ctx)
	if err != nil {
		return nil, err
	}
	selected, err := p.heapSelection(ctx, h, &q.HeapFilter)
	if err != nil {
		return nil, err
	}
	g := &FlameGraph{Weight: q.Weight, Layout: q.Layout, Known: q.Weight.Known(h.overview.Schema), All: h.overview.HeapTotals, Matching: selected.totals}
	chosen := newBitset(len(h.contexts.stack))
	for _, i := range selected.ids {
		chosen.set(i)
	}
	sides := []FlameLayout{q.Layout}
	if q.Layout == LayoutSandwich {
		sides = []FlameLayout{LayoutCallees, LayoutCallers}
		n, ok := h.byFID[q.Around]
		if !ok {
			return nil, ErrNotFound
		}
		g.Around = &h.functions[n]
	}
	found := false
	for _, side := range sides {
		s, err := p.stackOrder(ctx, h, side, g.Around)
		if err != nil {
			return nil, err
		}
		f := newFlame(h, s, chosen, q.Weight)
		if g.Around != nil {
			g.Matching = f.totals(0, len(f.ids))
		}
		g.DepthLimit = max(g.DepthLimit, s.limit)
		g.Frames += f.below(0, len(f.ids), 0)
		first := flameRange{to: len(f.ids), id: s.seed}
		if q.Zoom != 0 && q.Zoom != s.seed {
			at, above, ok := f.find(q.Zoom)
			if ok {
				first, found, g.Above = at, true, above
			}
		}
		nodes := f.expand(first, &q)
		if g.Around != nil {
			setMiddle(nodes, g.Around)
		}
		if side == LayoutCallers && g.Layout == LayoutSandwich {
			g.Callers = nodes
		} else {
			g.Nodes = nodes
		}
		found = found || q.Zoom == s.seed
	}
	if q.Zoom != 0 && !found {
		return nil, ErrNotFound
	}
	return g, ctx.Err()
}

// setMiddle gives the root of a sandwich's side its function.
func setMiddle(nodes []FlameNode, f *HeapFunction) {
	if len(nodes) > 0 && nodes[0].Function == nil {
		nodes[0].Function = f
	}
}

// flame is the stacks of a filter in an order in which those that begin alike
// stand together, so that a node of the tree is a range of them. What a node
// comes to is the difference of two running sums.
type flame struct {
	h      *heapIndex
	s      *stackOrder
	weight HeapWeight
	ids    []uint32             // contexts
	common []uint32             // functions that a stack has in common with the one before
	sums   []analyze.HeapTotals // of the contexts before each, and of all
	fresh  []int                // nodes that the stacks before each begin, and all do
}

func newFlame(h *heapIndex, s *stackOrder, chosen bitset, weight HeapWeight) *flame {
	f := &flame{h: h, s: s, weight: weight}
	f.sums, f.fresh = make([]analyze.HeapTotals, 1, len(s.ids)+1), make([]int, 1, len(s.ids)+1)
	common := ^uint32(0)
	for n, i := range s.ids {
		common = min(common, s.common[n])
		if !chosen.has(i) {
			continue
		}
		if len(f.ids) == 0 {
			common = 0
		}
		f.ids, f.common = append(f.ids, i), append(f.common, common)
		sum := f.sums[len(f.sums)-1]
		h.contexts.addTo(&sum, i)
		f.sums = append(f.sums, sum)
		f.fresh = append(f.fresh, f.fresh[len(f.fresh)-1]+len(s.of(i))-int(common))
		common = ^uint32(0)
	}
	return f
}

// totals of a range of stacks.
func (f *flame) totals(from, to int) analyze.HeapTotals {
	t := f.sums[to]
	t.Sub(&f.sums[from])
	return t
}

// below counts the nodes below the node of a range at a depth.
func (f *flame) below(from, to, depth int) int {
	if from == to {
		return 0
	}
	first := len(f.s.of(f.ids[from])) - depth
	return first + f.fresh[to] - f.fresh[from+1]
}

// flameRange is a node: the stacks from to to, which have its depth in common.
type flameRange struct {
	from, to, depth int
	id              uint64
}

// own is where the stacks that do not end at the node begin.
func (f *flame) own(r flameRange) int {
	at := r.from
	for at < r.to && len(f.s.of(f.ids[at])) == r.depth {
		at++
	}
	return at
}

// children splits a node's range.
func (f *flame) children(r flameRange, from int, dst []flameRange) []flameRange {
	for at := from; at < r.to; {
		end := at + 1
		for end < r.to && int(f.common[end]) > r.depth {
			end++
		}
		function := f.s.of(f.ids[at])[r.depth]
		dst = append(dst, flameRange{at, end, r.depth + 1, mixAddress(r.id, f.h.functions[function].FID)})
		at = end
	}
	return dst
}

// find looks for the node of an address, and makes those above it.
func (f *flame) find(id uint64) (at flameRange, above []FlameNode, ok bool) {
	path := []uint64{f.s.seed} // addresses of the nodes on the way to the present stack
	for n, i := range f.ids {
		stack := f.s.of(i)
		path = path[:f.common[n]+1]
		for depth := int(f.common[n]); depth < len(stack); depth++ {
			next := mixAddress(path[depth], f.h.functions[stack[depth]].FID)
			path = append(path, next)
			if next == id {
				return f.rangeAt(n, depth+1, next), f.above(n, depth+1, path), true
			}
		}
	}
	return at, nil, false
}

// rangeAt is the node at a depth of the first stack that goes through it.
func (f *flame) rangeAt(first, depth int, id uint64) flameRange {
	end := first + 1
	for end < len(f.ids) && int(f.common[end]) >= depth {
		end++
	}
	return flameRange{first, end, depth, id}
}

// above are the nodes over one, down to its parent. They begin at or before its
// first stack.
func (f *flame) above(first, depth int, path []uint64) []FlameNode {
	var list []FlameNode
	for d := range depth {
		from := first
		for from > 0 && int(f.common[from]) >= d {
			from--
		}
		node := f.node(f.rangeAt(from, d, path[d]))
		node.Parent = d - 1
		list = append(list, node)
	}
	return list
}

// node makes a node of a range, with all its children cut.
func (f *flame) node(r flameRange) FlameNode {
	n := FlameNode{ID: r.id, Parent: -1, Depth: r.depth, Totals: f.totals(r.from, r.to), Frames: f.below(r.from, r.to, r.depth)}
	n.Value = f.weight.Of(&n.Totals)
	own := f.own(r)
	ends := f.totals(r.from, own)
	n.Self = f.weight.Of(&ends)
	for at := own; at < r.to; at++ {
		if at == own || int(f.common[at]) == r.depth {
			n.Children++
		}
	}
	n.CutChildren, n.CutFrames, n.CutValue = n.Children, n.Frames, n.Value
	n.CutValue.Sub(n.Self)
	if r.depth > 0 {
		n.Function = &f.h.functions[f.s.of(f.ids[r.from])[r.depth-1]]
		n.Inline = !slices.ContainsFunc(f.ids[r.from:r.to], func(i uint32) bool { return !f.s.inline[int(f.s.starts[i])+r.depth-1] })
	}
	return n
}
