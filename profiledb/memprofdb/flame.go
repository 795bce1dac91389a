package memprofdb

import (
	"cmp"
	"context"

	"proflens/analyze"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// Layout says how call stacks are laid out in a flame graph.
type Layout string

// The layouts.
const (
	LayoutCallees  Layout = "callees"  // from the root of the stacks to what allocates
	LayoutCallers  Layout = "callers"  // from what allocates to the root
	LayoutSandwich Layout = "sandwich" // around one function: its callers, and what it calls
)

// Layouts are all of them, the default first.
var Layouts = []Layout{LayoutCallees, LayoutCallers, LayoutSandwich}

// FlameQuery asks for a flame graph.
type FlameQuery struct {
	Filter           // contexts that are in it
	Fold     Fold    // frames that are left out of it
	Weight   Weight  // empty is bytes
	Layout   Layout  // empty is LayoutCallees
	Around   uint64  // FID of the function in the middle of a sandwich
	Zoom     uint64  // ID of the node to begin with; 0 is the root
	Limit    int     // nodes, at least 1; in a sandwich on either side
	Depth    int     // levels below the first node; 0 is no limit
	MinShare float64 // of the first node: nodes of less are cut
}

// FlameGraph is a merged call tree, or a part of it. Contexts whose stacks have
// the same functions are one path of it, wherever in these functions the calls
// are.
type FlameGraph struct {
	Weight   Weight
	Layout   Layout
	Compared bool                  // of two heaps: see CompareFlame
	Known    bool                  // the profile has the weight; else all widths are 0
	All      analyze.MemProfTotals // contexts of the profile
	Matching analyze.MemProfTotals // that the filter selects; in a sandwich those of them with its function
	Around   *Function             // in the middle of a sandwich
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
	Function *Function
	Inline   bool // inlined into its caller in every context
	Totals   analyze.MemProfTotals
	Base     *analyze.MemProfTotals // of two heaps what the base has, and Totals what the test profile has; else nil
	Value    analyze.Sum            // of the weight
	Self     analyze.Sum            // part of Value that ends here: in LayoutCallees allocated by the function itself
	Children int                    // nodes directly below
	Frames   int                    // nodes below at any depth
	// Of the nodes directly below, those that are cut, how many nodes they are
	// with all below them, and their value. Zoom shows them.
	CutChildren, CutFrames int
	CutValue               analyze.Sum
}

// FlameGraph returns a merged call tree, cut to what is asked for: the widest
// nodes that fit.
//
// Errors are stored.ErrNoPart for a function or a node that is not in it; those
// of Contexts for the filter.
func (p *Profile) FlameGraph(ctx context.Context, q FlameQuery) (*FlameGraph, error) {
	q.Layout, q.Weight = cmp.Or(q.Layout, LayoutCallees), cmp.Or(q.Weight, WeightBytes)
	x, selected, err := p.selected(ctx, &q.Filter)
	if err != nil {
		return nil, err
	}
	g := &FlameGraph{Weight: q.Weight, Layout: q.Layout, Known: q.Weight.Known(p.Overview.Schema), All: p.Overview.MemProfTotals, Matching: selected.totals}
	chosen := query.NewBitset(len(x.contexts.stack))
	for _, i := range selected.ids {
		chosen.Set(i)
	}
	return g, p.flameSides(ctx, x, chosen, &q, g, func(*flame) {})
}

// flameSides makes the trees of a flame graph from the chosen contexts of an index; each
// is measured before it is cut.
func (p *Profile) flameSides(ctx context.Context, x *index, chosen query.Bitset, q *FlameQuery, g *FlameGraph, measure func(*flame)) error {
	sides := []Layout{q.Layout}
	if q.Layout == LayoutSandwich {
		sides = []Layout{LayoutCallees, LayoutCallers}
		n, ok := x.byFID[q.Around]
		if !ok {
			return stored.ErrNoPart
		}
		g.Around = &x.functions[n]
	}
	found := false
	for _, side := range sides {
		s, err := p.stackOrder(ctx, x, side, g.Around, q.Fold)
		if err != nil {
			return err
		}
		f := newFlame(x, s, chosen, q.Weight)
		measure(f)
		if g.Around != nil {
			g.Matching = f.totals(0, len(f.ids))
		}
		g.DepthLimit = max(g.DepthLimit, s.limit)
		g.Frames += f.below(0, len(f.ids), 0)
		first := flameRange{to: len(f.ids), id: s.seed}
		if q.Zoom != 0 && q.Zoom != s.seed {
			if at, above, ok := f.find(q.Zoom); ok {
				first, found, g.Above = at, true, above
			}
		}
		nodes := f.expand(first, q)
		if nodes[0].Function == nil {
			nodes[0].Function = g.Around
		}
		if side == LayoutCallers && g.Layout == LayoutSandwich {
			g.Callers = nodes
		} else {
			g.Nodes = nodes
		}
		found = found || q.Zoom == s.seed
	}
	if q.Zoom != 0 && !found {
		return stored.ErrNoPart
	}
	return ctx.Err()
}
