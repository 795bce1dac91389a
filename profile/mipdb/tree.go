package mipdb

import (
	"cmp"
	"context"

	"proflens/analyze"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// Tree is the functions added up by namespace or path, those of the most bytes
// first.
type Tree = query.TreeOf[analyze.MIPTotals, *analyze.MIPTotals]

// Node is a node of such a tree.
type Node = query.NodeOf[analyze.MIPTotals]

// NodeRow is a row of the table of such nodes.
type NodeRow struct {
	table.Nested[Node]
	Name      string `col:"name" is:"page,sort,up" help:"by name"` // with all it is in
	Functions uint64 `col:"functions" width:"9" is:"sort" help:"functions at or below it"`
	Executed  uint64 `col:"executed" width:"9" is:"sort"`
	Never     uint64 `col:"never" width:"9" is:"sort" help:"functions that no run executed"`
	_         column `how:"mip-executed the number executed"`

	ExecutedShare float64     `col:"executed_share" width:"14" is:"part"`
	Bytes         uint64      `col:"bytes" width:"12" is:"sort" help:"size of the functions at or below it"`
	ExecutedBytes uint64      `col:"executed_bytes" width:"14"`
	NeverBytes    uint64      `col:"never_bytes" width:"12" is:"sort"`
	CoveredBytes  uint64      `col:"covered_bytes" width:"13" head:"Covered" is:"sort" help:"bytes in blocks that ran"`
	CoveredShare  float64     `col:"covered_share" width:"14" head:"Share covered" is:"part,sort" help:"of its bytes"`
	_             column      `how:"mip-coverage coverage in bytes"`
	Blocks        uint64      `col:"blocks" width:"9" is:"sort"`
	CoveredBlocks uint64      `col:"covered_blocks" width:"14" head:"Blocks" is:"sort" how:"mip-blocks a block's state"`
	_             column      `help:"covered of all, without removed blocks"`
	Calls         analyze.Sum `col:"call_count" width:"20" head:"Calls" is:"sort" help:"of its functions"`
	Share         float64     `col:"share" width:"14" head:"Of all" is:"part" help:"of the bytes of the whole profile"`
}

// Nodes is the table of nodes.
var Nodes = table.Declare[NodeRow](table.Declaration{
	Usual: "-bytes", Show: "name bytes share covered_bytes covered_share functions never covered_blocks call_count",
	Text: "functions executed bytes covered_bytes blocks covered_blocks path",
})

// treeAround is what stands around the nodes of a tree.
type treeAround struct {
	All      uint64 `col:"all" is:"plain"`
	Complete bool   `col:"complete"`
}

// NodeRows are the rows of nodes, of which Share says nothing.
func NodeRows(list []Node) any { return table.NodeRows(list, rowOf(0)) }

// rowOf makes the rows of nodes of a tree of so many bytes.
func rowOf(whole uint64) func(table.Nested[Node]) NodeRow {
	share := func(part, whole uint64) float64 { return query.Share(analyze.Sum{Lo: part}, analyze.Sum{Lo: whole}) }
	return func(n table.Nested[Node]) NodeRow {
		t := &n.Node.Sum
		return NodeRow{
			Nested: n, Name: n.Node.Path, Functions: t.Functions, Executed: t.Executed, Never: t.Functions - t.Executed,
			ExecutedShare: share(t.Executed, t.Functions), Bytes: t.Bytes, ExecutedBytes: t.ExecutedBytes,
			NeverBytes: t.Bytes - t.ExecutedBytes, CoveredBytes: t.CoveredBytes, CoveredShare: share(t.CoveredBytes, t.Bytes),
			Blocks: t.Blocks, CoveredBlocks: t.CoveredBlocks, Calls: t.Calls, Share: share(t.Bytes, whole),
		}
	}
}

// TableOf is the table of nodes below one of a tree.
func TableOf(t *Tree, below Node, list []table.Nested[Node], o table.Options) table.Table {
	whole := t.Root().Sum
	return table.Tree(Nodes, t.By, below, list, rowOf(whole.Bytes), &treeAround{whole.Functions, true}, o)
}

// Tree reads a tree, from the cache or the file. The error is the context's, or
// about the file.
func (p *Profile) Tree(ctx context.Context, by query.TreeBy) (*Tree, error) {
	return stored.Cached(ctx, p.Profile, "mip tree "+string(by), func() (*Tree, int64, error) {
		t := &Tree{Tree: query.Tree{By: by, All: p.n, Scanned: p.n, Complete: true},
			Larger: func(a, b *analyze.MIPTotals) int { return cmp.Compare(b.Bytes, a.Bytes) }}
		err := p.Walk("mip_node", func(row *stored.Row) {
			if row.String(1) != string(by) {
				return
			}
			totals := analyze.MIPTotals{
				Functions: row.Uint(8), Executed: row.Uint(9), Bytes: row.Uint(10), ExecutedBytes: row.Uint(11),
				CoveredBytes: row.Uint(12),
				Blocks:       row.Uint(13), CoveredBlocks: row.Uint(14), Calls: analyze.Sum{Lo: row.Uint(15), Hi: row.Uint(16)},
			}
			n := analyze.PathNode{
				ID: int(row.Int(2)), Parent: int(row.Int(3)), Last: int(row.Int(4)), Depth: int(row.Int(5)), Name: row.String(6),
				NoPath: row.Int(7) != 0,
				Totals: analyze.Totals{Functions: totals.Functions, Executed: totals.Executed},
			}
			if !t.Fits(&n) {
				row.Fail(stored.Damaged("node %d of the tree by %s does not fit in", n.ID, by))
				return
			}
			t.Nodes, t.Sums = append(t.Nodes, n), append(t.Sums, totals)
		})
		if err == nil && !t.Whole() {
			err = stored.Damaged("the tree by %s has %d nodes", by, len(t.Nodes))
		}
		return t, t.Bytes() + int64(len(t.Sums))*72, err
	})
}
