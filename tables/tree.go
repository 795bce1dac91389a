package tables

import (
	"context"
	"fmt"
	"math"
	"slices"

	"proflens/analyze"
	"proflens/store"
)

// TreeNode is a node at its depth below the one asked for, from 1; 0 is that
// one itself.
type TreeNode struct {
	store.TreeNode
	Depth int
}

var treeColumns = []Column[TreeNode]{
	{"depth", 5, func(n *TreeNode) Cell { return Int(uint64(n.Depth)) }},
	{"kind", 6, func(n *TreeNode) Cell { return Text(string(n.Kind)) }},
	{"path", 0, func(n *TreeNode) Cell { return Text(n.Path) }},
	{"filter", 0, func(n *TreeNode) Cell { return Text(n.Filter) }},
	{"functions", 9, func(n *TreeNode) Cell { return Count(n.Functions) }},
	{"executed", 9, func(n *TreeNode) Cell { return Count(n.Executed) }},
	{"never", 9, func(n *TreeNode) Cell { return Count(n.Never()) }},
	{"executed_share", 14, func(n *TreeNode) Cell { return Ratio(n.ExecutedShare()) }},
	{"counters", 9, func(n *TreeNode) Cell { return Count(n.Counters) }},
	{"zero", 9, func(n *TreeNode) Cell { return Count(n.Zero) }},
	{"counters_share", 14, func(n *TreeNode) Cell { return Ratio(n.CountersShare()) }},
	{"total", 20, func(n *TreeNode) Cell { return BigCount(n.Total.String()) }},
	{"share", 14, func(n *TreeNode) Cell { return Ratio(n.Share) }},
}

// treeText fits a terminal.
var treeText = []string{"functions", "executed", "counters", "zero", "total", "path"}

// Tree is a table of nodes below one of a tree.
func Tree(t *store.Tree, below store.TreeNode, nodes []TreeNode, o Options) Table {
	return &List[TreeNode]{
		Columns: treeColumns, Text: treeText, Quote: o.Quote,
		Read: func(ctx context.Context, offset, limit int) (Step[TreeNode], error) {
			from := min(offset, len(nodes))
			return Step[TreeNode]{Rows: nodes[from:min(len(nodes), from+limit)], Total: len(nodes)}, ctx.Err()
		},
		More: func(b []byte, columns []Column[TreeNode]) []byte {
			b = fmt.Appendf(b, `,"by":"%s","node":`, t.By)
			b = AppendObject(b, columns, o.Quote, &TreeNode{TreeNode: below})
			b = fmt.Appendf(b, `,"all":%d,"complete":%t`, t.All, t.Complete)
			if !t.Complete {
				b = fmt.Appendf(b, `,"scanned":%d`, t.Scanned)
			}
			if t.Crowded {
				b = append(b, `,"crowded":true`...)
			}
			return b
		},
	}
}

// Below is the nodes below one, in preorder, down to a number of levels. sort
// orders the children of a node; nil leaves them by total.
func Below(t *store.Tree, of store.TreeNode, levels int, sort func([]store.TreeNode)) []TreeNode {
	var nodes []TreeNode
	var walk func(of store.TreeNode, depth int)
	walk = func(of store.TreeNode, depth int) {
		if depth > levels {
			return
		}
		children := t.Children(of)
		if sort != nil {
			sort(children)
		}
		for _, n := range children {
			nodes = append(nodes, TreeNode{n, depth})
			walk(n, depth+1)
		}
	}
	walk(of, 1)
	return nodes
}

// Leaves is the files or namespaces that have functions at a node or below it,
// each with its own alone, as Below orders them.
func Leaves(t *store.Tree, of store.TreeNode, sort func([]store.TreeNode)) []TreeNode {
	if of.Kind != store.Branch {
		return []TreeNode{{TreeNode: of}}
	}
	return slices.DeleteFunc(Below(t, of, math.MaxInt, sort), func(n TreeNode) bool { return n.Kind == store.Branch })
}

// WholeTree is a profile's tree with all names in it, waited for.
func WholeTree(ctx context.Context, p Profile, by store.TreeBy, rules []analyze.Rewrite) (*store.Tree, error) {
	for {
		t, err := p.Tree(ctx, by, rules)
		if err != nil || t.Complete {
			return t, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
}

func openCoverage(by store.TreeBy) func(context.Context, Profile, Options) (Table, error) {
	return func(ctx context.Context, p Profile, o Options) (Table, error) {
		t, err := WholeTree(ctx, p, by, nil)
		if err != nil {
			return nil, err
		}
		return Tree(t, t.Root(), Leaves(t, t.Root(), nil), o), nil
	}
}
