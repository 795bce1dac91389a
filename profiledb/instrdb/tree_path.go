package instrdb

import (
	"context"

	"proflens/analyze"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// Tree is the records added up by path, rewritten by rules, or by namespace.
// That takes demangling all names: while it is not complete, it is made further
// until the time is used up. The error is the context's, or about the file.
func (p *Profile) Tree(ctx context.Context, by query.TreeBy, rules []analyze.Rewrite) (*query.Tree, error) {
	if by == query.ByPath {
		return p.pathTree(ctx, rules)
	}
	s, err := p.scopes(ctx)
	if err != nil {
		return nil, err
	}
	return s.tree, nil
}

// pathTree is the stored tree with its paths rewritten, from the cache or read.
func (p *Profile) pathTree(ctx context.Context, rules []analyze.Rewrite) (*query.Tree, error) {
	return stored.Cached(ctx, p.Profile, "path tree "+query.CacheKey(rules), func() (*query.Tree, int64, error) {
		t := &query.Tree{By: query.ByPath, All: p.all, Scanned: p.rows, Complete: !p.Storing(), Total: p.total}
		if err := p.readPathNodes(t); err != nil {
			return nil, 0, err
		}
		if len(rules) > 0 {
			t.Nodes, t.Crowded = rewritten(t.Nodes, rules)
		}
		return t, t.Bytes(), nil
	})
}

// readPathNodes reads the path_node table. A preview has none: then there is
// but a root.
func (p *Profile) readPathNodes(t *query.Tree) error {
	err := p.Walk("path_node", func(row *stored.Row) {
		n := analyze.PathNode{
			ID: int(row.ID), Parent: int(row.Int(1)), Last: int(row.Int(2)), Depth: int(row.Int(3)), Name: row.String(4), NoPath: row.Int(5) != 0,
			Totals: analyze.Totals{
				Functions: row.Uint(6), Executed: row.Uint(7), Counters: row.Uint(8), Zero: row.Uint(9),
				Total: analyze.Sum{Hi: row.Uint(11), Lo: row.Uint(10)},
			},
		}
		if !t.Fits(&n) {
			row.Fail(stored.Damaged("node %d of the path tree does not fit in", n.ID))
			return
		}
		t.Nodes = append(t.Nodes, n)
	})
	switch {
	case err != nil:
		return err
	case len(t.Nodes) == 0:
		t.Nodes = noNodes
	case !t.Whole():
		return stored.Damaged("the path tree has %d nodes, expected %d", len(t.Nodes), t.Nodes[0].Last+1)
	}
	return nil
}

// noNodes is a tree that nothing was added to.
var noNodes = []analyze.PathNode{{Parent: -1}}

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
