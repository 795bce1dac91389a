package instrdb

import (
	"context"

	"proflens/analyze"
	"proflens/profile/budget"
	"proflens/profile/query"
	"proflens/profile/stored"
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
		var err error
		if len(rules) == 0 {
			t.Nodes, err = p.readPathNodes(ctx)
		} else if recorded, of := p.pathTree(ctx, nil); of != nil {
			err = of
		} else {
			t.Nodes, err = rewritten(ctx, recorded, rules)
		}
		return t, t.Bytes(), err
	})
}

// readPathNodes reads the path_node table. A preview has none: then there is
// but a root.
func (p *Profile) readPathNodes(ctx context.Context) ([]analyze.PathNode, error) {
	var c query.Chains
	m := budget.NewMeter(ctx)
	err := p.Walk("path_node", func(row *stored.Row) {
		n := analyze.PathNode{
			ID: int(row.ID), Parent: int(row.Int(1)), Last: int(row.Int(2)), Depth: int(row.Int(3)), Name: row.String(4),
			NoPath: row.Int(5) != 0,
			Totals: analyze.Totals{
				Functions: row.Uint(6), Executed: row.Uint(7), Counters: row.Uint(8), Zero: row.Uint(9),
				Total: analyze.Sum{Hi: row.Uint(11), Lo: row.Uint(10)},
			},
		}
		before := len(c.Nodes)
		if !c.Add(&n) {
			row.Fail(stored.Damaged("node %d of the path tree does not fit in", n.ID))
			return
		}
		if err := m.Add((len(c.Nodes)-before)*query.NodeBytes + len(n.Name)); err != nil {
			row.Fail(err)
		}
	})
	switch {
	case err != nil:
		return nil, err
	case !c.End():
		return nil, stored.Damaged("the path tree has not all of its nodes")
	case len(c.Nodes) == 0:
		return noNodes, nil
	}
	return c.Nodes, nil
}

// noNodes is a tree that nothing was added to.
var noNodes = []analyze.PathNode{{Parent: -1}}

// rewritten makes a tree anew with its paths rewritten.
func rewritten(ctx context.Context, t *query.Tree, rules []analyze.Rewrite) ([]analyze.PathNode, error) {
	var folded analyze.FoldedTree
	m := budget.NewMeter(ctx)
	var visit func(of query.TreeNode) error
	visit = func(of query.TreeNode) error {
		own := t.Nodes[of.At].Totals
		for _, at := range t.Kids(of.At) {
			own.Sub(&t.Nodes[at].Totals)
			name, path := t.Chain(of.Path, t.Nodes[at].Name)
			if err := visit(t.Node(at, name, path)); err != nil {
				return err
			}
		}
		if own.Functions == 0 {
			return nil
		}
		return m.Add(2*query.NodeBytes +
			3*folded.Add(analyze.PathParts(analyze.RewritePath(rules, of.Path)), query.Chained, &own))
	}
	if err := visit(t.Root()); err != nil {
		return nil, err
	}
	return folded.Nodes(query.Chained), ctx.Err()
}
