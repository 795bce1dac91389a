package tables

import (
	"context"
	"fmt"

	"proflens/analyze"
	"proflens/profile/mipdb"
	"proflens/profile/query"
	"proflens/profile/table"
)

// MIPNode is a node of a tree of functions of machine IR at its depth.
type MIPNode = Nested[mipdb.Node]

// mipNodeColumns are those of a tree whose functions have so many bytes.
func mipNodeColumns(whole uint64) []table.Column[MIPNode] {
	of := func(name string, width int, value func(t *analyze.MIPTotals) table.Cell) table.Column[MIPNode] {
		return table.Column[MIPNode]{name, width, func(n *MIPNode) table.Cell { return value(&n.Node.Sum) }}
	}
	return append(nestedColumns(func(n *mipdb.Node) *query.TreeNode { return &n.TreeNode }),
		of("functions", 9, func(t *analyze.MIPTotals) table.Cell { return table.Count(t.Functions) }),
		of("executed", 9, func(t *analyze.MIPTotals) table.Cell { return table.Count(t.Executed) }),
		of("never", 9, func(t *analyze.MIPTotals) table.Cell { return table.Count(t.Functions - t.Executed) }),
		of("executed_share", 14, func(t *analyze.MIPTotals) table.Cell {
			return table.Ratio(PartOf(t.Executed, t.Functions))
		}),
		of("bytes", 12, func(t *analyze.MIPTotals) table.Cell { return table.Count(t.Bytes) }),
		of("executed_bytes", 14, func(t *analyze.MIPTotals) table.Cell { return table.Count(t.ExecutedBytes) }),
		of("never_bytes", 12, func(t *analyze.MIPTotals) table.Cell { return table.Count(t.Bytes - t.ExecutedBytes) }),
		of("covered_bytes", 13, func(t *analyze.MIPTotals) table.Cell { return table.Count(t.CoveredBytes) }),
		of("covered_share", 14, func(t *analyze.MIPTotals) table.Cell {
			return table.Ratio(PartOf(t.CoveredBytes, t.Bytes))
		}),
		of("blocks", 9, func(t *analyze.MIPTotals) table.Cell { return table.Count(t.Blocks) }),
		of("covered_blocks", 14, func(t *analyze.MIPTotals) table.Cell { return table.Count(t.CoveredBlocks) }),
		of("call_count", 20, func(t *analyze.MIPTotals) table.Cell { return table.SumCount(t.Calls) }),
		of("share", 14, func(t *analyze.MIPTotals) table.Cell { return table.Ratio(PartOf(t.Bytes, whole)) }))
}

// mipNodeText fits a terminal.
var mipNodeText = []string{"functions", "executed", "bytes", "covered_bytes", "blocks", "covered_blocks", "path"}

// MIPTree is a table of nodes below one of a tree of functions of machine IR.
func MIPTree(t *mipdb.Tree, below mipdb.Node, nodes []MIPNode, o table.Options) table.Table {
	root := t.Root()
	return nestedTable(mipNodeColumns(root.Sum.Bytes), mipNodeText, MIPNode{Node: below}, nodes, t.By,
		func(b []byte) []byte { return fmt.Appendf(b, `,"all":%d,"complete":true`, root.Sum.Functions) }, o)
}

// MIPLeaves is the namespaces or files that have functions at a node or below
// it, each with its own alone, as Below orders them.
func MIPLeaves(t *mipdb.Tree, of mipdb.Node, sort func([]mipdb.Node)) []MIPNode {
	return leaves(t.Children, func(n mipdb.Node) query.NodeKind { return n.Kind }, of, sort)
}

func openMIPCoverage(by query.TreeBy) func(context.Context, *mipdb.Profile, table.Options) (table.Table, error) {
	return func(ctx context.Context, p *mipdb.Profile, o table.Options) (table.Table, error) {
		t, err := p.Tree(ctx, by)
		if err != nil {
			return nil, err
		}
		return MIPTree(t, t.Root(), MIPLeaves(t, t.Root(), nil), o), nil
	}
}
