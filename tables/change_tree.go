package tables

import (
	"context"
	"fmt"

	"proflens/analyze"
	"proflens/store"
)

var changeColumns = []Column[store.ChangeNode]{
	{"kind", 6, func(n *store.ChangeNode) Cell { return Text(string(n.Kind)) }},
	{"path", 0, func(n *store.ChangeNode) Cell { return Text(n.Path) }},
	{"filter", 0, func(n *store.ChangeNode) Cell { return Text(n.Filter) }},
	{"change", 9, func(n *store.ChangeNode) Cell { return Change(n.Change) }},
	{"base_share", 10, func(n *store.ChangeNode) Cell { return Ratio(n.BaseShare) }},
	{"test_share", 10, func(n *store.ChangeNode) Cell { return Ratio(n.TestShare) }},
	{"base_total", 20, func(n *store.ChangeNode) Cell { return total(&n.Base) }},
	{"test_total", 20, func(n *store.ChangeNode) Cell { return total(&n.Test) }},
	{"base_functions", 14, func(n *store.ChangeNode) Cell { return Count(n.Base.Functions) }},
	{"test_functions", 14, func(n *store.ChangeNode) Cell { return Count(n.Test.Functions) }},
	{"base_executed", 13, func(n *store.ChangeNode) Cell { return Count(n.Base.Executed) }},
	{"test_executed", 13, func(n *store.ChangeNode) Cell { return Count(n.Test.Executed) }},
}

func total(t *analyze.Totals) Cell { return BigCount(t.Total.String()) }

// changeText fits a terminal.
var changeText = []string{"change", "base_share", "test_share", "base_functions", "test_functions", "path"}

// ChangeTree is a table of the nodes right below one, in their order.
func ChangeTree(t *store.ChangeTree, below store.ChangeNode, o Options) Table {
	nodes := t.Children(below)
	return &List[store.ChangeNode]{
		Columns: changeColumns, Text: changeText, Quote: o.Quote,
		Read: func(ctx context.Context, offset, limit int) (Step[store.ChangeNode], error) {
			from := min(offset, len(nodes))
			return Step[store.ChangeNode]{Rows: nodes[from:min(len(nodes), from+limit)], Total: len(nodes)}, ctx.Err()
		},
		More: func(b []byte, columns []Column[store.ChangeNode]) []byte {
			b = fmt.Appendf(b, `,"by":"%s","node":`, t.By)
			b = AppendObject(b, columns, o.Quote, &below)
			if t.Crowded {
				b = append(b, `,"crowded":true`...)
			}
			return b
		},
	}
}
