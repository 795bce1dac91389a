package memprofdb

import (
	"cmp"
	"context"
	"slices"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/profile/table"
)

// BlameNode is callers of a blame frame that its contexts have in common.
type BlameNode struct {
	Depth   int          `col:"depth" width:"5"`                                 // from 1
	Parent  *int         `col:"parent" width:"6" help:"place of a node, from 0"` // nil at the top
	Callers FunctionRefs `col:"callers" parts:"fid,function"`
	_       column       `help:"outwards: the first one tells the node from its siblings"`
	_       column       `col:"caller" help:"the first of these"`
	Context uint64       `col:"context" width:"16" is:"hex,omitzero" help:"where the node is one"` // its address
	BlameSums
	Folded int // library frames between, at most
}

// Cell implements [table.Celler].
func (n *BlameNode) Cell(_ string, o *table.Options) table.Cell {
	if len(n.Callers) == 0 {
		return table.Null
	}
	return table.Text(n.Callers[0].Label(o.Demangle))
}

// BlameNodes is the table of a tree's nodes.
var BlameNodes = table.Declare[BlameNode](table.Declaration{
	Around: (*CallersAround)(nil),
	Noun:   "caller", Text: "bytes count contexts depth caller",
})

// CallersAround is what stands around nodes.
type CallersAround struct {
	Cut int `col:"contexts_left_out"` // in nodes that are left out
}

// BlameTree is the contexts of a blame frame as a tree of their callers.
type BlameTree struct {
	Nodes   []BlameNode // in preorder, those of the most bytes first
	Library []*Function // frames that are folded: of the largest context, outermost first
	CallersAround
}

// FindCallers finds the nodes of a BlameTree.
func (p *Profile) FindCallers(ctx context.Context, f Filter, fold Fold, limit int) (table.Find, error) {
	tree, err := p.BlameTree(ctx, f, fold, limit)
	if err != nil {
		return nil, err
	}
	return BlameNodes.Within(table.Set{Rows: tree.Nodes, Around: &tree.CallersAround}), nil
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
	g.grow(g.paths, 0, nil, 1)
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
func (g *blameGrowth) grow(paths []blamePath, common int, parent *int, depth int) {
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
		node := BlameNode{Depth: depth, Parent: parent, BlameSums: b.site.BlameSums, Folded: b.site.Folded}
		if callers := b.paths[len(b.paths)-1].callers; len(callers) > common { // or they ended on the way
			for _, n := range callers[common:b.to] {
				node.Callers = append(node.Callers, &g.x.functions[n])
			}
		}
		if len(b.paths) == 1 {
			node.Context = g.x.contexts.address[b.paths[0].context]
		}
		at := len(g.tree.Nodes)
		g.tree.Nodes = append(g.tree.Nodes, node)
		if len(b.paths[len(b.paths)-1].callers) > b.to {
			g.grow(b.paths, b.to, &at, depth+1)
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
	rows, _ := g.x.blamed(g.l, &part, sitesTogether)
	return rows[0]
}
