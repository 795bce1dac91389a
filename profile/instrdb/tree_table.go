package instrdb

import (
	"context"

	"proflens/analyze"
	"proflens/profile/query"
	"proflens/profile/table"
)

// NodeRow is a node of a tree of function records.
type NodeRow struct {
	table.Nested[query.TreeNode]
	Name      string `col:"name" is:"page,sort,up" help:"by name"` // with all it is in
	Functions uint64 `col:"functions" width:"9" is:"sort" help:"function records at or below it"`
	// Pages order by the share, and have the number too.
	Ran           float64     `col:"executed" is:"page,sort" help:"functions with any counter above 0"`
	Executed      uint64      `col:"executed" width:"9" is:"script"`
	Never         uint64      `col:"never" width:"9" is:"sort" help:"functions without a counter above 0"`
	ExecutedShare float64     `col:"executed_share" width:"14" is:"part"`
	Counters      uint64      `col:"counters" width:"9" is:"sort" help:"number of counters"`
	Zero          uint64      `col:"zero" width:"9" is:"sort" help:"counters that are 0"`
	CountersShare float64     `col:"counters_share" width:"14" is:"part"`
	Total         analyze.Sum `col:"total" width:"20" is:"sort" help:"sum of all counters"`
	Share         float64     `col:"share" width:"14" is:"part" help:"of the total of the whole profile"`
}

// Nodes is the table of nodes.
var Nodes = table.Declare[NodeRow](table.Declaration{
	Usual: "-total", Show: "name functions executed never counters zero total share",
	Text: "functions executed counters zero total path",
})

// treeAround is what stands around the nodes of a tree.
type treeAround struct {
	All      int    `col:"all"`
	Complete bool   `col:"complete"`
	_        column `col:"scanned"`
	_        column `col:"crowded"`
	of       *query.Tree
}

// Cell implements [table.Celler].
func (a *treeAround) Cell(column string, _ *table.Options) table.Cell {
	switch {
	case column == "scanned" && !a.Complete:
		return table.Int(a.of.Scanned)
	case column == "crowded" && a.of.Crowded:
		return table.Bool(true)
	}
	return table.Absent
}

// NodeRows are the rows of nodes.
func NodeRows(list []query.TreeNode) any { return table.NodeRows(list, rowOf) }

func rowOf(n table.Nested[query.TreeNode]) NodeRow {
	t := &n.Node
	return NodeRow{
		n, t.Path, t.Functions, t.ExecutedShare(), t.Executed, t.Never(), t.ExecutedShare(), t.Counters, t.Zero,
		t.CountersShare(), t.Total, t.Share,
	}
}

// TableOf is the table of nodes below one of a tree.
func TableOf(t *query.Tree, below query.TreeNode, list []table.Nested[query.TreeNode], o table.Options) table.Table {
	return table.Tree(Nodes, t.By, below, list, rowOf, &treeAround{All: t.All, Complete: t.Complete, of: t}, o)
}

// WholeTree is the tree with all names in it, waited for. Errors are those of Tree.
func (p *Profile) WholeTree(ctx context.Context, by query.TreeBy, rules []analyze.Rewrite) (*query.Tree, error) {
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
