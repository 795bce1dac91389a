package store

import (
	"context"
	"fmt"
	"unsafe"

	"proflens/analyze"
)

// pathTree is the stored tree with its paths rewritten, from the cache or read.
func (p *Profile) pathTree(ctx context.Context, rules []analyze.Rewrite) (*Tree, error) {
	v, err := p.cached(ctx, fmt.Sprintf("path tree %q", rules), func() (any, int64, error) {
		t := &Tree{By: ByPath, All: p.all, Scanned: p.rows, Complete: !p.storing, total: p.total}
		var err error
		if t.nodes, err = p.readPathNodes(ctx); err != nil {
			return nil, 0, err
		}
		if len(rules) > 0 {
			t.nodes, t.Crowded = rewritten(t.nodes, rules)
		}
		return t, treeBytes(t.nodes), nil
	})
	if err != nil {
		return nil, err
	}
	return v.(*Tree), nil
}

// treeBytes is the memory of a tree's nodes, about.
func treeBytes(nodes []analyze.PathNode) int64 {
	size := int64(len(nodes)) * int64(unsafe.Sizeof(analyze.PathNode{}))
	for i := range nodes {
		size += int64(len(nodes[i].Name))
	}
	return size
}

// readPathNodes reads the path_node table. A preview has none: then there is
// but a root.
func (p *Profile) readPathNodes(ctx context.Context) ([]analyze.PathNode, error) {
	var nodes []analyze.PathNode
	var fault error
	err := walk(p.r, "path_node", func(row *rowReader) {
		if fault != nil {
			return
		}
		n := analyze.PathNode{
			ID: len(nodes), Parent: int(row.Int(1)), Last: int(row.Int(2)), Depth: int(row.Int(3)), Name: row.text(4), NoPath: row.Int(5) != 0,
			Totals: analyze.Totals{
				Functions: row.Uint(6), Executed: row.Uint(7), Counters: row.Uint(8), Zero: row.Uint(9),
				Total: analyze.Sum{Hi: row.Uint(11), Lo: row.Uint(10)},
			},
		}
		switch {
		case row.ID != int64(n.ID) || n.Parent >= n.ID || n.Last < n.ID || (n.Parent < 0) != (n.ID == 0),
			n.Parent >= 0 && n.Last > nodes[n.Parent].Last:
			fault = fmt.Errorf("%w: node %d of the path tree does not fit in", ErrDamaged, row.ID)
		case n.ID%checkEvery == 0:
			fault = ctx.Err()
		}
		nodes = append(nodes, n)
	})
	if err == nil {
		err = fault
	}
	if err != nil {
		return nil, err
	}
	if len(nodes) == 0 {
		return []analyze.PathNode{{Parent: -1}}, nil
	}
	if nodes[0].Last != len(nodes)-1 {
		return nil, fmt.Errorf("%w: the path tree has %d nodes, expected %d", ErrDamaged, len(nodes), nodes[0].Last+1)
	}
	return nodes, nil
}

// rewritten makes a tree anew with its paths rewritten.
func rewritten(nodes []analyze.PathNode, rules []analyze.Rewrite) (again []analyze.PathNode, crowded bool) {
	own := make([]analyze.Totals, len(nodes))
	paths := make([]string, len(nodes))
	for i := range nodes {
		n := &nodes[i]
		own[i] = n.Totals
		if n.Parent >= 0 {
			own[n.Parent].Sub(&n.Totals)
			paths[i] = analyze.JoinPath(paths[n.Parent], n.Name)
		}
	}
	var t analyze.PathTree
	for i := range nodes {
		if own[i].Functions > 0 {
			t.AddAt(analyze.PathParts(analyze.RewritePath(rules, paths[i])), &own[i])
		}
	}
	again, _ = t.Nodes()
	return again, t.Crowded()
}
