package store

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"proflens/analyze"
)

// HeapTree is allocation sites added up by the folders and files of the source,
// by the frames that allocate. It is shared: do not change it.
type HeapTree struct {
	tree  *Tree
	nodes []HeapSite // by node; only their figures
}

// HeapNode is a node of such a tree, or a chain of nodes that have nothing but
// each other.
type HeapNode struct {
	Kind NodeKind
	Name string // one part, or those of the chain; empty for the root, a Direct and a None
	Path string // of the last node of the chain; empty for the root
	// Filter selects the node's contexts as HeapFilter.Path. It is empty where it
	// would select all.
	Filter string
	HeapSite

	node TreeNode
}

// HeapTree adds the contexts of a filter up. Errors are those of Allocations.
func (p *Profile) HeapTree(ctx context.Context, f HeapFilter) (*HeapTree, error) {
	h, err := p.heapIndex(ctx)
	if err != nil {
		return nil, err
	}
	selected, err := p.heapSelection(ctx, h, &f)
	if err != nil {
		return nil, err
	}
	v, err := p.cached(ctx, "heap tree "+f.key(), func() (any, int64, error) {
		t := h.tree(selected)
		return t, treeBytes(t.tree.nodes) + int64(len(t.nodes))*320, nil
	})
	if err != nil {
		return nil, err
	}
	return v.(*HeapTree), nil
}

func (h *heapIndex) tree(of *heapOrdered) *HeapTree {
	var growing analyze.PathTree
	calls := h.calls(of)
	refs := make([]analyze.PathRef, len(calls))
	for i := range calls {
		refs[i] = growing.AddAt(analyze.PathParts(calls[i].File), &analyze.Totals{Functions: calls[i].Contexts})
	}
	nodes, ids := growing.Nodes()
	t := &HeapTree{nodes: make([]HeapSite, len(nodes))}
	t.tree = &Tree{By: ByPath, All: len(of.ids), Scanned: len(of.ids), Complete: true, Crowded: growing.Crowded(), nodes: nodes}
	for i := range calls {
		t.nodes[ids[refs[i]]].add(&calls[i])
	}
	for i := len(nodes) - 1; i > 0; i-- { // preorder: what is below comes after
		t.nodes[nodes[i].Parent].add(&t.nodes[i])
	}
	return t
}

// Root is all contexts.
func (t *HeapTree) Root() HeapNode { return t.of(t.tree.Root()) }

// Find is the node of a path, and those above it from below the root; ok is
// false when there is none. See [Tree.Find].
func (t *HeapTree) Find(path string) (node HeapNode, above []HeapNode, ok bool) {
	found, over, ok := t.tree.Find(path)
	if !ok {
		return node, nil, false
	}
	for _, n := range over {
		above = append(above, t.of(n))
	}
	return t.of(found), above, true
}

// of adds a node's figures to it.
func (t *HeapTree) of(n TreeNode) HeapNode {
	return HeapNode{Kind: n.Kind, Name: n.Name, Path: n.Path, Filter: n.Filter, HeapSite: t.nodes[n.at], node: n}
}

// Children are the nodes below a node, the most bytes first, with chains folded;
// what is directly in the node and what is in none come last.
func (t *HeapTree) Children(of HeapNode) []HeapNode {
	var list, last []HeapNode
	for _, n := range t.tree.Children(of.node) {
		switch n.Kind {
		case Direct:
			direct := of.HeapSite
			for _, at := range t.tree.kids(of.node.at) {
				direct.sub(&t.nodes[at])
			}
			last = append(last, HeapNode{Kind: Direct, Path: n.Path, Filter: n.Filter, HeapSite: direct, node: n})
		case None:
			last = append(last, t.of(n))
		default:
			list = append(list, t.of(n))
		}
	}
	slices.SortStableFunc(list, func(a, b HeapNode) int {
		return cmp.Or(b.Bytes.Compare(a.Bytes), strings.Compare(a.Name, b.Name))
	})
	return append(list, last...)
}

// sub takes away sites that are a part of these.
func (s *HeapSite) sub(part *HeapSite) {
	s.HeapTotals.Sub(&part.HeapTotals)
	for i := range s.Classes {
		s.Classes[i].Contexts -= part.Classes[i].Contexts
		s.Classes[i].Bytes.Sub(part.Classes[i].Bytes)
	}
	s.Sites -= part.Sites
	s.Mixed -= part.Mixed
}
