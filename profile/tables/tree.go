package tables

import (
	"context"
	"fmt"

	"proflens/analyze"
	"proflens/profile/instrdb"
	"proflens/profile/query"
	"proflens/profile/table"
)

// TreeNode is a node of a tree of function records at its depth.
type TreeNode = Nested[query.TreeNode]

var treeColumns = append(nestedColumns(func(n *query.TreeNode) *query.TreeNode { return n }),
	table.Column[TreeNode]{"functions", 9, func(n *TreeNode) table.Cell { return table.Count(n.Node.Functions) }},
	table.Column[TreeNode]{"executed", 9, func(n *TreeNode) table.Cell { return table.Count(n.Node.Executed) }},
	table.Column[TreeNode]{"never", 9, func(n *TreeNode) table.Cell { return table.Count(n.Node.Never()) }},
	table.Column[TreeNode]{
		"executed_share", 14, func(n *TreeNode) table.Cell { return table.Ratio(n.Node.ExecutedShare()) },
	},
	table.Column[TreeNode]{"counters", 9, func(n *TreeNode) table.Cell { return table.Count(n.Node.Counters) }},
	table.Column[TreeNode]{"zero", 9, func(n *TreeNode) table.Cell { return table.Count(n.Node.Zero) }},
	table.Column[TreeNode]{
		"counters_share", 14, func(n *TreeNode) table.Cell { return table.Ratio(n.Node.CountersShare()) },
	},
	table.Column[TreeNode]{"total", 20, func(n *TreeNode) table.Cell { return table.SumCount(n.Node.Total) }},
	table.Column[TreeNode]{"share", 14, func(n *TreeNode) table.Cell { return table.Ratio(n.Node.Share) }})

// treeText fits a terminal.
var treeText = []string{"functions", "executed", "counters", "zero", "total", "path"}

// Tree is a table of nodes below one of a tree.
func Tree(t *query.Tree, below query.TreeNode, nodes []TreeNode, o table.Options) table.Table {
	return nestedTable(treeColumns, treeText, TreeNode{Node: below}, nodes, t.By, func(b []byte) []byte {
		b = fmt.Appendf(b, `,"all":%d,"complete":%t`, t.All, t.Complete)
		if !t.Complete {
			b = fmt.Appendf(b, `,"scanned":%d`, t.Scanned)
		}
		if t.Crowded {
			b = append(b, `,"crowded":true`...)
		}
		return b
	}, o)
}

// Leaves is the files or namespaces that have functions at a node or below it,
// each with its own alone, as Below orders them.
func Leaves(t *query.Tree, of query.TreeNode, sort func([]query.TreeNode)) []TreeNode {
	return leaves(t.Children, func(n query.TreeNode) query.NodeKind { return n.Kind }, of, sort)
}

// WholeTree is a profile's tree with all names in it, waited for.
func WholeTree(ctx context.Context, p *instrdb.Profile, by query.TreeBy, rules []analyze.Rewrite) (*query.Tree, error) {
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

func openCoverage(by query.TreeBy) func(context.Context, *instrdb.Profile, table.Options) (table.Table, error) {
	return func(ctx context.Context, p *instrdb.Profile, o table.Options) (table.Table, error) {
		t, err := WholeTree(ctx, p, by, nil)
		if err != nil {
			return nil, err
		}
		return Tree(t, t.Root(), Leaves(t, t.Root(), nil), o), nil
	}
}
