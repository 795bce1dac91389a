// Package calltree merges call stacks into trees: flame graphs, of whatever family.
// A family gives [Stacks]: which functions each has, and what it comes to. They are
// sorted so that those that begin alike stand together; a node of the tree is then a
// range of them, and what it comes to the difference of two running sums.
package calltree

import (
	"context"

	"proflens/analyze"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// Layout says how call stacks are laid out.
type Layout string

// The layouts.
const (
	Callees  Layout = "callees"  // from the root of the stacks to their leaves
	Callers  Layout = "callers"  // from the leaves to the root
	Sandwich Layout = "sandwich" // around one function: its callers, and what it calls
)

// Layouts are all of them, the default first.
var Layouts = []Layout{Callees, Callers, Sandwich}

// Stacks are call stacks, by number from 0, of functions, which have numbers too. F is
// a function of a family, T what its stacks come to.
type Stacks[F, T any] struct {
	Profile *stored.Profile // whose cache keeps their order
	Key     string          // tells them from others of the profile there
	Len     int
	Depth   func(i uint32) int // how many functions a stack has at most
	Open    func(ctx context.Context) (Append, error)
	// Recursion leaves out what stands between two calls of one function; see [Collapser].
	Recursion bool
	// Compared is set where they are of two profiles: those before Test are the base's.
	Compared bool
	Test     uint32

	Functions []F
	FID       func(f *F) uint64                    // tells functions apart in all profiles
	Find      func(fid uint64) (n uint32, ok bool) // the function of a FID
	Compare   func(a, b *F) int                    // which of two stands first: negative for a

	Add func(to *T, i uint32) // adds what a stack comes to
	Sub func(from, part *T)
}

// Append appends the functions of a stack, the root first, and whether each is inlined
// into the one before it. It is for one goroutine.
type Append func(list []uint32, inline []bool, i uint32) ([]uint32, []bool)

// Query says which part of a tree is wanted.
type Query struct {
	Layout   Layout  // empty is Callees
	Around   uint64  // FID of the function in the middle of a sandwich
	Zoom     uint64  // ID of the node to begin with; 0 is the root
	Limit    int     // nodes, at least 1; in a sandwich on either side
	Depth    int     // levels below the first node; 0 is no limit
	MinShare float64 // of the first node: nodes of less are cut
}

// Graph is a merged call tree, or a part of it. Stacks of the same functions are one
// path of it, wherever in these functions the calls are.
type Graph[F, T any] struct {
	Layout   Layout
	Compared bool // of two profiles
	Matching T    // of the chosen stacks; in a sandwich of those of them with its function
	Around   *F   // in the middle of a sandwich
	// Above are the nodes on the way to the first one, the root first; empty
	// without a zoom.
	Above []Node[F, T]
	// Nodes are in preorder, siblings by width and name, the widest first. The
	// first one is the root, which has no function, the node that Zoom names, or
	// the function of a sandwich. Nothing that has no width is among them.
	Nodes []Node[F, T]
	// Callers are the other side of a sandwich, laid out as Callers from its
	// function, the first one.
	Callers []Node[F, T]
	// Frames is how many nodes the whole tree has, below its root.
	Frames int
	// DepthLimit is how deep stacks are shown. Of deeper ones the rest is cut: it
	// counts, stack by stack, as nodes that no zoom shows. It is 0 where all are whole.
	DepthLimit int
}

// Node is a node of a merged call tree.
type Node[F, T any] struct {
	ID       uint64 // its address: a hash of the path to it, which no order changes
	Parent   int    // index among the nodes; -1 for the first
	Depth    int    // 0 for the root of the tree
	Function *F
	Inline   bool // inlined into its caller in every stack
	Totals   T
	Base     *T          // of two profiles what the base has, and Totals what the test profile has; else nil
	Value    analyze.Sum // its width
	Self     analyze.Sum // part of Value that ends here: in Callees the function's own
	Children int         // nodes directly below
	Frames   int         // nodes below at any depth
	// Of the nodes directly below, those that are cut, how many nodes they are
	// with all below them, and their value. Zoom shows them.
	CutChildren, CutFrames int
	CutValue               analyze.Sum
}

// Of merges the chosen stacks, or all where chosen is nil, into a tree whose widths are
// the weight of what they come to, cut to what is asked for: the widest nodes that fit.
// Of two profiles a width is the larger side of each stack, added up, so that what is
// gone keeps its place.
//
// Errors are stored.ErrNoPart for a function or a node that is not in it, and those of
// Stacks.Open.
func Of[F, T any](ctx context.Context, s *Stacks[F, T], chosen query.Bitset, weight func(*T) analyze.Sum,
	q Query) (*Graph[F, T], error) {
	if q.Layout == "" {
		q.Layout = Callees
	}
	g := &Graph[F, T]{Layout: q.Layout, Compared: s.Compared}
	sides := []Layout{q.Layout}
	if q.Layout == Sandwich {
		sides = []Layout{Callees, Callers}
		n, ok := s.Find(q.Around)
		if !ok {
			return nil, stored.ErrNoPart
		}
		g.Around = &s.Functions[n]
	}
	found := false
	for _, side := range sides {
		o, err := s.order(ctx, side, g.Around)
		if err != nil {
			return nil, err
		}
		t := newTree(s, o, chosen, weight)
		g.Matching = t.totals(0, len(t.ids))
		g.DepthLimit = max(g.DepthLimit, o.limit)
		g.Frames += t.below(0, len(t.ids), 0)
		first := span{to: len(t.ids), id: o.root}
		if q.Zoom != 0 && q.Zoom != o.root {
			if at, above, ok := t.find(q.Zoom); ok {
				first, found, g.Above = at, true, above
			}
		}
		nodes := t.expand(first, &q)
		if nodes[0].Function == nil {
			nodes[0].Function = g.Around
		}
		if side == Callers && g.Layout == Sandwich {
			g.Callers = nodes
		} else {
			g.Nodes = nodes
		}
		found = found || q.Zoom == o.root
	}
	if q.Zoom != 0 && !found {
		return nil, stored.ErrNoPart
	}
	return g, ctx.Err()
}

// Address is that of what is reached by a step from an address.
func Address(from, step uint64) uint64 {
	v := (from ^ 0x9e3779b97f4a7c15) + step
	v = (v ^ v>>30) * 0xbf58476d1ce4e5b9
	v = (v ^ v>>27) * 0x94d049bb133111eb
	return v ^ v>>31
}
