package calltree

import (
	"slices"

	"proflens/analyze"
	"proflens/profile/query"
)

// tree is the chosen stacks in their order, with running sums.
type tree[F, T any] struct {
	s      *Stacks[F, T]
	o      *order
	weight func(*T) analyze.Sum
	ids    []uint32 // stacks
	common []uint32 // functions that a stack has in common with the one before
	sums   []T      // of the stacks before each, and of all
	fresh  []int    // nodes that the stacks before each begin, and all do
	// Of two profiles: the sums of the base's stacks, and of the widths; see split.
	base []T
	wide []analyze.Sum
}

func newTree[F, T any](s *Stacks[F, T], o *order, chosen query.Bitset, weight func(*T) analyze.Sum) *tree[F, T] {
	t := &tree[F, T]{s: s, o: o, weight: weight}
	t.sums, t.fresh = make([]T, 1, len(o.ids)+1), make([]int, 1, len(o.ids)+1)
	common := ^uint32(0)
	for n, i := range o.ids {
		common = min(common, o.common[n])
		if chosen != nil && !chosen.Has(i) {
			continue
		}
		if len(t.ids) == 0 {
			common = 0
		}
		t.ids, t.common = append(t.ids, i), append(t.common, common)
		sum := t.sums[len(t.sums)-1]
		s.Add(&sum, i)
		t.sums = append(t.sums, sum)
		t.fresh = append(t.fresh, t.fresh[len(t.fresh)-1]+len(o.of(i))+o.beyond(i)-int(common))
		common = ^uint32(0)
	}
	if s.Compared {
		t.compare()
	}
	return t
}

// totals of a range of stacks.
func (t *tree[F, T]) totals(from, to int) T {
	sum := t.sums[to]
	t.s.Sub(&sum, &t.sums[from])
	return sum
}

// value is the width of a range of stacks.
func (t *tree[F, T]) value(from, to int) analyze.Sum {
	if t.wide == nil {
		totals := t.totals(from, to)
		return t.weight(&totals)
	}
	v := t.wide[to]
	v.Sub(t.wide[from])
	return v
}

// below counts the nodes below the node of a range at a depth.
func (t *tree[F, T]) below(from, to, depth int) int {
	if from == to {
		return 0
	}
	first := len(t.o.of(t.ids[from])) + t.o.beyond(t.ids[from]) - depth
	return first + t.fresh[to] - t.fresh[from+1]
}

// span is a node: the stacks from to to, which have its depth in common.
type span struct {
	from, to, depth int
	id              uint64
}

// own is where the stacks that do not end at the node begin.
func (t *tree[F, T]) own(r span) int {
	at := r.from
	for at < r.to && len(t.o.of(t.ids[at])) == r.depth && t.o.beyond(t.ids[at]) == 0 {
		at++
	}
	return at
}

// kids is where the stacks that go on below the node begin, of those from a place on; they
// do not where they are cut.
func (t *tree[F, T]) kids(r span, from int) int {
	if from < r.to && len(t.o.of(t.ids[from])) == r.depth {
		return r.to
	}
	return from
}

// children splits a node's range.
func (t *tree[F, T]) children(r span, from int, dst []span) []span {
	for at := t.kids(r, from); at < r.to; {
		end := at + 1
		for end < r.to && int(t.common[end]) > r.depth {
			end++
		}
		function := t.o.of(t.ids[at])[r.depth]
		dst = append(dst, span{at, end, r.depth + 1, t.step(r.id, function)})
		at = end
	}
	return dst
}

// step is the address of the node of a function below another's.
func (t *tree[F, T]) step(from uint64, function uint32) uint64 {
	return Address(from, t.s.FID(&t.s.Functions[function]))
}

// find looks for the node of an address, and makes those above it.
func (t *tree[F, T]) find(id uint64) (at span, above []Node[F, T], ok bool) {
	path := []uint64{t.o.root} // addresses of the nodes on the way to the present stack
	for n, i := range t.ids {
		stack := t.o.of(i)
		path = path[:t.common[n]+1]
		for depth := int(t.common[n]); depth < len(stack); depth++ {
			next := t.step(path[depth], stack[depth])
			path = append(path, next)
			if next == id {
				return t.spanAt(n, depth+1, next), t.above(n, depth+1, path), true
			}
		}
	}
	return at, nil, false
}

// spanAt is the node at a depth of the first stack that goes through it.
func (t *tree[F, T]) spanAt(first, depth int, id uint64) span {
	end := first + 1
	for end < len(t.ids) && int(t.common[end]) >= depth {
		end++
	}
	return span{first, end, depth, id}
}

// above are the nodes over one, down to its parent. They begin at or before its
// first stack.
func (t *tree[F, T]) above(first, depth int, path []uint64) []Node[F, T] {
	var list []Node[F, T]
	for d := range depth {
		from := first
		for from > 0 && int(t.common[from]) >= d {
			from--
		}
		node := t.node(t.spanAt(from, d, path[d]))
		node.Parent = d - 1
		list = append(list, node)
	}
	return list
}

// node makes a node of a range, with all its children cut.
func (t *tree[F, T]) node(r span) Node[F, T] {
	n := Node[F, T]{
		ID: r.id, Parent: -1, Depth: r.depth, Totals: t.totals(r.from, r.to), Frames: t.below(r.from, r.to, r.depth),
	}
	own := t.own(r)
	n.Value, n.Self = t.value(r.from, r.to), t.value(r.from, own)
	t.split(&n, r.from, r.to)
	first := t.kids(r, own)
	for at := first; at < r.to; at++ {
		if at == first || int(t.common[at]) == r.depth {
			n.Children++
		}
	}
	n.CutChildren, n.CutFrames, n.CutValue = n.Children, n.Frames, n.Value
	n.CutValue.Sub(n.Self)
	if r.depth > 0 {
		n.Function = &t.s.Functions[t.o.of(t.ids[r.from])[r.depth-1]]
		n.Inline = !slices.ContainsFunc(t.ids[r.from:r.to], func(i uint32) bool {
			return !t.o.inline[int(t.o.starts[i])+r.depth-1]
		})
	}
	return n
}
