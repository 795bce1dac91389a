package mipdb

import (
	"cmp"
	"context"

	"proflens/analyze"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// Tree is the functions added up by namespace or path, those of the most bytes
// first.
type Tree = query.TreeOf[analyze.MIPTotals, *analyze.MIPTotals]

// Node is a node of such a tree.
type Node = query.NodeOf[analyze.MIPTotals]

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
