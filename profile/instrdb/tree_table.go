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
	_ table.Computed `col:"functions" width:"9"`
	_ table.Computed `col:"executed" width:"9"`
	_ table.Computed `col:"never" width:"9"`
	_ table.Computed `col:"executed_share" width:"14"`
	_ table.Computed `col:"counters" width:"9"`
	_ table.Computed `col:"zero" width:"9"`
	_ table.Computed `col:"counters_share" width:"14"`
	_ table.Computed `col:"total" width:"20"`
	_ table.Computed `col:"share" width:"14"`
}

// Cell implements [table.Celler].
func (n *nested) Cell(column string, _ *table.Options) table.Cell {
	switch t := &n.Node; column {
	case "functions":
		return table.Count(t.Functions)
	case "executed":
		return table.Count(t.Executed)
	case "never":
		return table.Count(t.Never())
	case "executed_share":
		return table.Ratio(t.ExecutedShare())
	case "counters":
		return table.Count(t.Counters)
	case "zero":
		return table.Count(t.Zero)
	case "counters_share":
		return table.Ratio(t.CountersShare())
	case "total":
		return table.SumCount(t.Total)
	}
	return table.Ratio(n.Node.Share)
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
		return table.Int(uint64(a.of.Scanned))
	case column == "crowded" && a.of.Crowded:
		return table.Bool(true)
	}
	return table.Absent
}

// TableOf is the table of nodes below one of a tree.
func TableOf(t *query.Tree, below query.TreeNode, list []table.Nested[query.TreeNode], o table.Options) table.Table {
	return table.Tree(nodes, t.By, below, list, func(n table.Nested[query.TreeNode]) nested { return nested{Nested: n} },
		&treeAround{All: t.All, Complete: t.Complete, of: t}, o)
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
