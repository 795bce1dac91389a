package tables

import (
	"context"
	"fmt"

	"proflens/analyze"
	"proflens/profile/instrdb"
	"proflens/profile/table"
)

var changeColumns = []table.Column[instrdb.ChangeNode]{
	{"kind", 6, func(n *instrdb.ChangeNode) table.Cell { return table.Text(string(n.Kind)) }},
	{"path", 0, func(n *instrdb.ChangeNode) table.Cell { return table.Text(n.Path) }},
	{"filter", 0, func(n *instrdb.ChangeNode) table.Cell { return table.Text(n.Filter) }},
	{"change", 9, func(n *instrdb.ChangeNode) table.Cell { return table.Change(n.Change) }},
	{"base_share", 10, func(n *instrdb.ChangeNode) table.Cell { return table.Ratio(n.BaseShare) }},
	{"test_share", 10, func(n *instrdb.ChangeNode) table.Cell { return table.Ratio(n.TestShare) }},
	{"base_total", 20, func(n *instrdb.ChangeNode) table.Cell { return total(&n.Base) }},
	{"test_total", 20, func(n *instrdb.ChangeNode) table.Cell { return total(&n.Test) }},
	{"base_functions", 14, func(n *instrdb.ChangeNode) table.Cell { return table.Count(n.Base.Functions) }},
	{"test_functions", 14, func(n *instrdb.ChangeNode) table.Cell { return table.Count(n.Test.Functions) }},
	{"base_executed", 13, func(n *instrdb.ChangeNode) table.Cell { return table.Count(n.Base.Executed) }},
	{"test_executed", 13, func(n *instrdb.ChangeNode) table.Cell { return table.Count(n.Test.Executed) }},
}

func total(t *analyze.Totals) table.Cell { return table.SumCount(t.Total) }

// changeText fits a terminal.
var changeText = []string{"change", "base_share", "test_share", "base_functions", "test_functions", "path"}

// ChangeTree is a table of the nodes right below one, in their order.
func ChangeTree(t *instrdb.ChangeTree, below instrdb.ChangeNode, o table.Options) table.Table {
	nodes := t.Children(below)
	return &table.List[instrdb.ChangeNode]{
		Columns: changeColumns, Text: changeText, Quote: o.Quote,
		Read: func(ctx context.Context, offset, limit int) (table.Step[instrdb.ChangeNode], error) {
			from := min(offset, len(nodes))
			return table.Step[instrdb.ChangeNode]{Rows: nodes[from:min(len(nodes), from+limit)], Total: len(nodes)}, ctx.Err()
		},
		More: func(b []byte, columns []table.Column[instrdb.ChangeNode]) []byte {
			b = fmt.Appendf(b, `,"by":"%s","node":`, t.By)
			b = table.AppendObject(b, columns, o.Quote, &below)
			if t.Crowded {
				b = append(b, `,"crowded":true`...)
			}
			return b
		},
	}
}
