package calltree

import (
	"cmp"
	"container/heap"
	"slices"

	"proflens/analyze"
)

// expand makes a node and those below it, the widest first, until there are
// enough; then they are brought into preorder.
func (t *tree[F, T]) expand(first span, q *Query) []Node[F, T] {
	root := t.node(first)
	least := root.Value.Float64() * q.MinShare
	grown := []Node[F, T]{root}
	line := &queue{}
	var kids []span
	open := func(parent int, r span) {
		if q.Depth > 0 && r.depth-first.depth >= q.Depth {
			return
		}
		kids = t.children(r, t.own(r), kids[:0])
		for _, kid := range kids {
			value := t.value(kid.from, kid.to)
			if !value.IsZero() && value.Float64() >= least {
				heap.Push(line, waiting{kid, value, parent})
			}
		}
	}
	open(0, first)
	for line.Len() > 0 && len(grown) < max(q.Limit, 1) {
		next := heap.Pop(line).(waiting)
		node := t.node(next.span)
		node.Parent = next.parent
		parent := &grown[next.parent]
		parent.CutChildren--
		parent.CutFrames -= node.Frames + 1
		parent.CutValue.Sub(node.Value)
		grown = append(grown, node)
		open(len(grown)-1, next.span)
	}
	return t.preorder(grown)
}

// preorder brings nodes, each behind its parent, into preorder: siblings by
// value, the largest first, and by name.
func (t *tree[F, T]) preorder(nodes []Node[F, T]) []Node[F, T] {
	kids := make([][]int, len(nodes))
	for i := 1; i < len(nodes); i++ {
		kids[nodes[i].Parent] = append(kids[nodes[i].Parent], i)
	}
	type step struct{ node, parent int }
	out := make([]Node[F, T], 0, len(nodes))
	for todo := []step{{0, -1}}; len(todo) > 0; {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		node := nodes[next.node]
		node.Parent = next.parent
		at := len(out)
		out = append(out, node)
		list := kids[next.node]
		slices.SortFunc(list, func(a, b int) int {
			return cmp.Or(nodes[a].Value.Compare(nodes[b].Value), t.s.Compare(nodes[b].Function, nodes[a].Function))
		})
		for _, kid := range list { // the smallest is the deepest in the pile
			todo = append(todo, step{kid, at})
		}
	}
	return out
}

// waiting is a node that may be shown.
type waiting struct {
	span
	value  analyze.Sum
	parent int // index of a node that is shown
}

// queue has the widest on top; of those alike, the one nearest the root
// and the first in the order of stacks.
type queue []waiting

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	a, b := &q[i], &q[j]
	return cmp.Or(b.value.Compare(a.value), cmp.Compare(a.depth, b.depth), cmp.Compare(a.from, b.from)) < 0
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(waiting)) }
func (q *queue) Pop() any {
	old := *q
	last := old[len(old)-1]
	*q = old[:len(old)-1]
	return last
}
