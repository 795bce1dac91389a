package instrdb

import (
	"context"

	"proflens/analyze"
	"proflens/profile/query"
	"proflens/profile/table"
)

// nested is a node of a tree of function records for scripts.
type nested struct {
	table.Nested[query.TreeNode]
	Functions     uint64      `col:"functions" width:"9"`
	Executed      uint64      `col:"executed" width:"9"`
	Never         uint64      `col:"never" width:"9"`
	ExecutedShare float64     `col:"executed_share" width:"14" is:"part"`
	Counters      uint64      `col:"counters" width:"9"`
	Zero          uint64      `col:"zero" width:"9"`
	CountersShare float64     `col:"counters_share" width:"14" is:"part"`
	Total         analyze.Sum `col:"total" width:"20"`
	Share         float64     `col:"share" width:"14" is:"part"`
}

var nodes = table.Declare[nested](table.Declaration{Text: "functions executed counters zero total path"})

// treeAround is what stands around the nodes of a tree.
type treeAround struct {
	All      int            `col:"all"`
	Complete bool           `col:"complete"`
	_        table.Computed `col:"scanned"`
	_        table.Computed `col:"crowded"`
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

// TableOf is the table of nodes below one of a tree.
func TableOf(t *query.Tree, below query.TreeNode, list []table.Nested[query.TreeNode], o table.Options) table.Table {
	row := func(n table.Nested[query.TreeNode]) nested {
		t := &n.Node
		return nested{
			n, t.Functions, t.Executed, t.Never(), t.ExecutedShare(), t.Counters, t.Zero, t.CountersShare(), t.Total, t.Share,
		}
	}
	return table.Tree(nodes, t.By, below, list, row, &treeAround{All: t.All, Complete: t.Complete, of: t}, o)
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
