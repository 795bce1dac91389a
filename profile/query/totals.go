package query

import (
	"slices"
	"strings"
)

// Totals is what nodes of a [TreeOf] add up; Less is of pointers.
type Totals[T any] interface {
	*T
	Sub(part *T)
}

// TreeOf is a tree whose nodes have totals of a family beside those of functions.
// It is shared: do not change it.
type TreeOf[T any, P Totals[T]] struct {
	Tree
	Sums []T // by node
	// Larger says which of two comes first; negative is a.
	Larger func(a, b *T) int
}

// NodeOf is a node of such a tree.
type NodeOf[T any] struct {
	TreeNode
	Sum T
}

// Root is all functions.
func (t *TreeOf[T, P]) Root() NodeOf[T] { return t.of(t.Tree.Root()) }

// Find is the node of a path, and those above it; see [Tree.Find].
func (t *TreeOf[T, P]) Find(path string) (node NodeOf[T], above []NodeOf[T], ok bool) {
	found, over, ok := t.Tree.Find(path)
	if !ok {
		return node, nil, false
	}
	for _, n := range over {
		above = append(above, t.of(n))
	}
	return t.of(found), above, true
}

// of adds a node's totals to it.
func (t *TreeOf[T, P]) of(n TreeNode) NodeOf[T] { return NodeOf[T]{n, t.Sums[n.At]} }

// Children are the nodes below a node, the largest first, with chains folded; what
// is directly in the node and what is in none come last.
func (t *TreeOf[T, P]) Children(of NodeOf[T]) []NodeOf[T] {
	var list, last []NodeOf[T]
	for _, n := range t.Tree.Children(of.TreeNode) {
		switch n.Kind {
		case Direct:
			direct := of.Sum
			for _, at := range t.Kids(of.At) {
				P(&direct).Sub(&t.Sums[at])
			}
			last = append(last, NodeOf[T]{n, direct})
		case None:
			last = append(last, t.of(n))
		default:
			list = append(list, t.of(n))
		}
	}
	slices.SortStableFunc(list, func(a, b NodeOf[T]) int {
		if order := t.Larger(&a.Sum, &b.Sum); order != 0 {
			return order
		}
		return strings.Compare(a.Name, b.Name)
	})
	return append(list, last...)
}
