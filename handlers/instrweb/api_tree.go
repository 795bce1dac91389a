package instrweb

import (
	"context"
	"net/http"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/profile/instrdb"
	"proflens/profile/query"
	"proflens/profile/table"
)

// getTree is GET /profiles/{id}/tree: the nodes below one, down to a depth.
func (s *handler) getTree(w http.ResponseWriter, r *http.Request) error {
	p, err := treeNodes.Parse(r.URL.Query(), treeKeys)
	if err != nil {
		return err
	}
	return s.treeAnswer(w, r, p, "-tree", func(t *query.Tree, n query.TreeNode) []table.Nested[query.TreeNode] {
		return table.Below(t.Children, n, p.Depth, treeNodes.Sorter(&p))
	})
}

// getCoverage is GET /profiles/{id}/coverage: the files or namespaces that have
// functions, each with its own alone.
func (s *handler) getCoverage(w http.ResponseWriter, r *http.Request) error {
	p, err := parseCoverage(r.URL.Query())
	if err != nil {
		return err
	}
	return s.treeAnswer(w, r, p, "-coverage", leavesOf(&p))
}

// leavesOf lists the files or namespaces that have functions.
func leavesOf(p *lists.TreeParams) func(t *query.Tree, n query.TreeNode) []table.Nested[query.TreeNode] {
	return func(t *query.Tree, n query.TreeNode) []table.Nested[query.TreeNode] {
		return table.Leaves(t.Children, n, treeNodes.Sorter(p))
	}
}

// openCoverage is the same whole, as an export has it.
func openCoverage(ctx context.Context, records *instrdb.Profile, p lists.TreeParams, o table.Options,
	_ bool) (table.Table, error) {
	t, err := records.WholeTree(ctx, p.By, p.Rewrite)
	if err != nil {
		return nil, err
	}
	return treeTable(t, &p, o, leavesOf(&p))
}

// treeAnswer answers with nodes of the tree that is asked for. An export shows
// no half results, and a preview has none.
func (s *handler) treeAnswer(w http.ResponseWriter, r *http.Request, p lists.TreeParams, name string,
	list func(*query.Tree, query.TreeNode) []table.Nested[query.TreeNode]) error {
	return s.ListTable(w, r, p.Listing, name, func(ctx context.Context, o table.Options, whole bool) (table.Table, error) {
		if s.Profile(r).Storing() {
			return nil, s.NotReady(w, r)
		}
		t, err := s.records(r).Tree(ctx, p.By, p.Rewrite)
		if err == nil && whole {
			t, err = s.records(r).WholeTree(ctx, p.By, p.Rewrite)
		}
		if err != nil {
			return nil, err
		}
		if !t.Complete {
			site.Unsettled(w)
		}
		return treeTable(t, &p, o, list)
	})
}

// treeTable is the nodes that a request selects of those that a list makes.
func treeTable(t *query.Tree, p *lists.TreeParams, o table.Options,
	list func(*query.Tree, query.TreeNode) []table.Nested[query.TreeNode]) (table.Table, error) {
	node, _, ok := t.Find(p.Path)
	switch {
	case !ok && t.Complete:
		return nil, p.NoNode()
	case !ok: // it may come yet
		return instrdb.TableOf(t, query.TreeNode{Kind: query.Leaf, Path: p.Path}, nil, o), nil
	}
	return instrdb.TableOf(t, node, treeNodes.PickNested(list(t, node), p), o), nil
}
