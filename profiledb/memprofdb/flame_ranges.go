package memprofdb

import (
	"slices"

	"proflens/analyze"
	"proflens/profiledb/query"
)

// flame is the stacks of a filter in an order in which those that begin alike
// stand together, so that a node of the tree is a range of them. What a node
// comes to is the difference of two running sums.
type flame struct {
	x      *index
	s      *stackOrder
	weight Weight
	ids    []uint32                // contexts
	common []uint32                // functions that a stack has in common with the one before
	sums   []analyze.MemProfTotals // of the contexts before each, and of all
	fresh  []int                   // nodes that the stacks before each begin, and all do
	// Of two heaps: the sums of the base profile's, and of the widths; see compare.
	base []analyze.MemProfTotals
	wide []analyze.Sum
}

func newFlame(x *index, s *stackOrder, chosen query.Bitset, weight Weight) *flame {
	f := &flame{x: x, s: s, weight: weight}
	f.sums, f.fresh = make([]analyze.MemProfTotals, 1, len(s.ids)+1), make([]int, 1, len(s.ids)+1)
	common := ^uint32(0)
	for n, i := range s.ids {
		common = min(common, s.common[n])
		if !chosen.Has(i) {
			continue
		}
		if len(f.ids) == 0 {
			common = 0
		}
		f.ids, f.common = append(f.ids, i), append(f.common, common)
		sum := f.sums[len(f.sums)-1]
		x.contexts.addTo(&sum, i)
		f.sums = append(f.sums, sum)
		f.fresh = append(f.fresh, f.fresh[len(f.fresh)-1]+len(s.of(i))-int(common))
		common = ^uint32(0)
	}
	return f
}

// totals of a range of stacks.
func (f *flame) totals(from, to int) analyze.MemProfTotals {
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
		dst = append(dst, flameRange{at, end, r.depth + 1, mixAddress(r.id, f.x.functions[function].FID)})
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
			next := mixAddress(path[depth], f.x.functions[stack[depth]].FID)
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
	own := f.own(r)
	n.Value, n.Self = f.value(r.from, r.to), f.value(r.from, own)
	f.split(&n, r.from, r.to)
	for at := own; at < r.to; at++ {
		if at == own || int(f.common[at]) == r.depth {
			n.Children++
		}
	}
	n.CutChildren, n.CutFrames, n.CutValue = n.Children, n.Frames, n.Value
	n.CutValue.Sub(n.Self)
	if r.depth > 0 {
		n.Function = &f.x.functions[f.s.of(f.ids[r.from])[r.depth-1]]
		n.Inline = !slices.ContainsFunc(f.ids[r.from:r.to], func(i uint32) bool { return !f.s.inline[int(f.s.starts[i])+r.depth-1] })
	}
	return n
}
