package memprofdb

import (
	"cmp"
	"context"
	"slices"

	"proflens/analyze"
	"proflens/decode/memprof"
)

// BlameNode is callers of a blame frame that its contexts have in common.
type BlameNode struct {
	Depth   int         // from 1
	Parent  int         // index of a node; -1 at the top
	Callers []*Function // outwards: the first one tells the node from its siblings
	Open    bool        // there are nodes below it
	Context uint64      // address of the context, where it is one
	BlameSite
}

// BlameTree is the contexts of a blame frame as a tree of their callers.
type BlameTree struct {
	Nodes   []BlameNode // in preorder, those of the most bytes first
	Library []*Function // frames that are folded: of the largest context, outermost first
	Cut     int         // contexts in nodes that are left out
}

// BlameTree adds up the contexts of a filter with one blame frame by their callers,
// outwards; a fold leaves frames out of these. It has the largest nodes, at most
// limit. Errors are those of Contexts.
func (p *Profile) BlameTree(ctx context.Context, f Filter, fold Fold, limit int) (*BlameTree, error) {
	x, selected, err := p.selected(ctx, &f)
	if err != nil {
		return nil, err
	}
	l, err := p.framesOf(ctx, x, f.Library)
	if err != nil {
		return nil, err
	}
	folding, err := p.folder(ctx, x, fold)
	if err != nil {
		return nil, err
	}
	g := &blameGrowth{x: x, l: l, of: selected, tree: &BlameTree{}, limit: limit}
	depth := x.keptDepth(maxCallers)
	var list []uint32
	largest := -1
	for n, i := range selected.ids {
		stack := x.contexts.stack[i]
		if stack >= 0 && l.blame[stack] >= 0 {
			stack = l.blame[stack]
		}
		list, g.inline = folding.append(list[:0], g.inline[:0], stack)
		slices.Reverse(list)
		g.paths = append(g.paths, blamePath{i, slices.Clone(list[min(1, len(list)):min(depth, len(list))])})
		if largest < 0 || x.contexts.get(i, memprof.TotalSize) > x.contexts.get(selected.ids[largest], memprof.TotalSize) {
			largest = n
		}
	}
	if largest >= 0 {
		for at := x.contexts.stack[selected.ids[largest]]; at >= 0 && l.frames.Has(x.frame[at]) &&
			len(g.tree.Library) < MaxRowFrames; at = x.caller[at] {
			g.tree.Library = append(g.tree.Library, &x.functions[x.function[x.frame[at]]])
		}
		slices.Reverse(g.tree.Library)
	}
	slices.SortStableFunc(g.paths, func(a, b blamePath) int { return slices.Compare(a.callers, b.callers) })
	g.grow(g.paths, 0, -1, 1)
	return g.tree, ctx.Err()
}

// maxCallers is how many functions on the way to a blame frame are kept at most.
const maxCallers = 2048

// blamePath is a context with the functions that lead to its blame frame, the
// nearest first.
type blamePath struct {
	context uint32
	callers []uint32
}

type blameGrowth struct {
	x      *index
	l      *libraryFrames
	of     *selection
	paths  []blamePath
	inline []bool
	tree   *BlameTree
	limit  int
}

// grow adds the nodes of sorted paths that have so many callers in common.
func (g *blameGrowth) grow(paths []blamePath, common, parent, depth int) {
	type branch struct {
		paths []blamePath
		site  BlameSite
		to    int // callers that all have in common
	}
	var list []branch
	for from := 0; from < len(paths); {
		to := from + 1
		first := paths[from].callers
		for to < len(paths) && len(first) > common && len(paths[to].callers) > common &&
			paths[to].callers[common] == first[common] {
			to++
		}
		if len(first) <= common { // those that end here
			for to < len(paths) && len(paths[to].callers) <= common {
				to++
			}
		}
		b := branch{paths: paths[from:to], to: common}
		for live := b.paths; ; b.to++ { // those that end on the way are its own
			for len(live) > 0 && len(live[0].callers) <= b.to {
				live = live[1:]
			}
			if len(live) == 0 || live[0].callers[b.to] != live[len(live)-1].callers[b.to] {
				break
			}
		}
		b.site = g.sum(b.paths)
		list = append(list, b)
		from = to
	}
	slices.SortStableFunc(list, func(a, b branch) int { return b.site.Bytes.Compare(a.site.Bytes) })
	for _, b := range list {
		if len(g.tree.Nodes) >= g.limit {
			g.tree.Cut += len(b.paths)
			continue
		}
		node := BlameNode{Depth: depth, Parent: parent, BlameSite: b.site}
		for _, n := range b.paths[len(b.paths)-1].callers[common:b.to] {
			node.Callers = append(node.Callers, &g.x.functions[n])
		}
		if len(b.paths) == 1 {
			node.Context = g.x.contexts.address[b.paths[0].context]
		}
		at := len(g.tree.Nodes)
		g.tree.Nodes = append(g.tree.Nodes, node)
		if len(b.paths[len(b.paths)-1].callers) > b.to {
			g.grow(b.paths, b.to, at, depth+1)
			g.tree.Nodes[at].Open = len(g.tree.Nodes) > at+1
		}
	}
}

// sum is what the contexts of paths come to.
func (g *blameGrowth) sum(paths []blamePath) BlameSite {
	part := *g.of
	part.ids = make([]uint32, len(paths))
	part.totals = analyze.MemProfTotals{}
	for i, p := range paths {
		part.ids[i] = p.context
	}
	slices.SortFunc(part.ids, cmp.Compare[uint32])
	return g.x.blamed(g.l, &part, sitesTogether).Rows[0]
}
