package store

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"proflens/analyze"
)

// MIPTree is the functions of machine IR added up by namespace or path. It is
// shared: do not change it.
type MIPTree struct {
	By     TreeBy
	tree   *Tree
	totals []analyze.MIPTotals // by node
}

// MIPNode is a node of such a tree, or a chain of nodes that have nothing but
// each other.
type MIPNode struct {
	Kind NodeKind
	Name string // one part, or those of the chain; empty for the root, a Direct and a None
	Path string // of the last node of the chain; empty for the root
	// Filter selects the node's functions as MIPQuery.Path or Scope. It is empty
	// where it would select all.
	Filter string
	analyze.MIPTotals

	node TreeNode
}

// MIPTree reads a tree, from the cache or the file. The error is ErrNotFound for
// a profile of another family, the context's, or about the file.
func (p *Profile) MIPTree(ctx context.Context, by TreeBy) (*MIPTree, error) {
	_, o, err := p.mipTable(ctx)
	if err != nil {
		return nil, err
	}
	v, err := p.cached(ctx, "mip tree "+string(by), func() (any, int64, error) {
		t := &MIPTree{By: by, tree: &Tree{By: by, All: int(o.Functions), Scanned: int(o.Functions), Complete: true}}
		if err := p.readMIPNodes(t); err != nil {
			return nil, 0, err
		}
		return t, treeBytes(t.tree.nodes) + int64(len(t.totals))*72, nil
	})
	if err != nil {
		return nil, err
	}
	return v.(*MIPTree), nil
}

// readMIPNodes reads the nodes of one tree, and checks that they are one.
func (p *Profile) readMIPNodes(t *MIPTree) error {
	nodes := []analyze.PathNode{}
	var fault error
	err := walk(p.r, "mip_node", func(row *rowReader) {
		if fault != nil || row.text(1) != string(t.By) {
			return
		}
		n := analyze.PathNode{
			ID: len(nodes), Parent: int(row.Int(3)), Last: int(row.Int(4)), Depth: int(row.Int(5)), Name: row.text(6), NoPath: row.Int(7) != 0,
			Totals: analyze.Totals{Functions: row.Uint(8), Executed: row.Uint(9)},
		}
		if row.Int(2) != int64(n.ID) || n.Parent >= n.ID || n.Last < n.ID || (n.Parent < 0) != (n.ID == 0) || n.Parent >= 0 && n.Last > nodes[n.Parent].Last {
			fault = errOr(nil, "node %d of the tree by %s does not fit in", n.ID, t.By)
		}
		nodes = append(nodes, n)
		t.totals = append(t.totals, analyze.MIPTotals{
			Functions: n.Functions, Executed: n.Executed, Bytes: row.Uint(10), ExecutedBytes: row.Uint(11), CoveredBytes: row.Uint(12),
			Blocks: row.Uint(13), CoveredBlocks: row.Uint(14), Calls: analyze.Sum{Lo: row.Uint(15), Hi: row.Uint(16)},
		})
	})
	switch {
	case err != nil:
		return err
	case fault != nil:
		return fault
	case len(nodes) == 0 || nodes[0].Last != len(nodes)-1:
		return errOr(nil, "the tree by %s has %d nodes", t.By, len(nodes))
	}
	t.tree.nodes = nodes
	return nil
}

// Root is all functions.
func (t *MIPTree) Root() MIPNode { return t.of(t.tree.Root()) }

// Find is the node of a path, and those above it from below the root; ok is
// false when there is none. See [Tree.Find].
func (t *MIPTree) Find(path string) (node MIPNode, above []MIPNode, ok bool) {
	found, over, ok := t.tree.Find(path)
	if !ok {
		return node, nil, false
	}
	for _, n := range over {
		above = append(above, t.of(n))
	}
	return t.of(found), above, true
}

// of adds a node's totals to it.
func (t *MIPTree) of(n TreeNode) MIPNode {
	return MIPNode{Kind: n.Kind, Name: n.Name, Path: n.Path, Filter: n.Filter, MIPTotals: t.totals[n.at], node: n}
}

// Children are the nodes below a node, the most bytes first, with chains folded;
// what is directly in the node and what is in none come last.
func (t *MIPTree) Children(of MIPNode) []MIPNode {
	var list, last []MIPNode
	for _, n := range t.tree.Children(of.node) {
		switch n.Kind {
		case Direct:
			direct := of.MIPTotals
			for _, at := range t.tree.kids(of.node.at) {
				direct.Sub(&t.totals[at])
			}
			last = append(last, MIPNode{Kind: Direct, Path: n.Path, Filter: n.Filter, MIPTotals: direct, node: n})
		case None:
			last = append(last, t.of(n))
		default:
			list = append(list, t.of(n))
		}
	}
	slices.SortStableFunc(list, func(a, b MIPNode) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), strings.Compare(a.Name, b.Name))
	})
	return append(list, last...)
}
