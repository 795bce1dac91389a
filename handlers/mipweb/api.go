package mipweb

import (
	"context"
	"fmt"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/profile/mipdb"
	"proflens/profile/table"
)

// hasRuns checks that a profile has runs of these numbers; 0 asks for none.
func hasRuns(o *mipdb.Overview, numbers ...int) error {
	for _, n := range numbers {
		if n > o.Runs {
			return &site.ParamError{
				Param: "run", Msg: fmt.Sprintf("there is no run %d: the profile has %d raw files", n, o.Runs),
			}
		}
	}
	return nil
}

// openTree is the nodes below one, down to a depth.
func openTree(ctx context.Context, m *mipdb.Profile, p lists.TreeParams, o table.Options, _ bool) (table.Table, error) {
	return treeTable(ctx, m, p, o, func(t *mipdb.Tree, n mipdb.Node) []table.Nested[mipdb.Node] {
		return table.Below(t.Children, n, p.Depth, treeNodes.Sorter(&p))
	})
}

// openCoverage is the namespaces or files that have functions, each with its own
// alone.
func openCoverage(ctx context.Context, m *mipdb.Profile, p lists.TreeParams, o table.Options,
	_ bool) (table.Table, error) {
	return treeTable(ctx, m, p, o, func(t *mipdb.Tree, n mipdb.Node) []table.Nested[mipdb.Node] {
		return table.Leaves(t.Children, n, treeNodes.Sorter(&p))
	})
}

func treeTable(ctx context.Context, m *mipdb.Profile, p lists.TreeParams, o table.Options,
	list func(t *mipdb.Tree, n mipdb.Node) []table.Nested[mipdb.Node]) (table.Table, error) {
	t, err := m.Tree(ctx, p.By)
	if err != nil {
		return nil, err
	}
	node, _, ok := t.Find(p.Path)
	if !ok {
		return nil, p.NoNode()
	}
	return mipdb.TableOf(t, node, treeNodes.PickNested(list(t, node), &p), o), nil
}
