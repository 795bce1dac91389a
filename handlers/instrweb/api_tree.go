package instrweb

import (
	"context"
	"net/http"

	"proflens/handlers/site"
	"proflens/profiledb/query"
	"proflens/tables"
)

// getTree is GET /profiles/{id}/tree: the nodes below one, down to a depth.
func (s *room) getTree(w http.ResponseWriter, r *http.Request) error {
	p, err := site.ParseTree(r.URL.Query(), site.TreeKeys)
	if err != nil {
		return err
	}
	return s.treeAnswer(w, r, p, "-tree", func(t *query.Tree, n query.TreeNode) []tables.TreeNode {
		return tables.Below(t.Children, n, p.Depth, p.Order)
	})
}

// getCoverage is GET /profiles/{id}/coverage: the files or namespaces that have
// functions, each with its own alone.
func (s *room) getCoverage(w http.ResponseWriter, r *http.Request) error {
	p, err := site.ParseTree(r.URL.Query(), site.CoverageKeys)
	if err != nil {
		return err
	}
	return s.treeAnswer(w, r, p, "-coverage", func(t *query.Tree, n query.TreeNode) []tables.TreeNode {
		return tables.Leaves(t, n, p.Order)
	})
}

// treeAnswer answers with nodes of the tree that is asked for. An export shows
// no half results, and a preview has none.
func (s *room) treeAnswer(w http.ResponseWriter, r *http.Request, p site.TreeParams, name string,
	list func(t *query.Tree, n query.TreeNode) []tables.TreeNode,
) error {
	return s.ListTable(w, r, p.Listing, name, func(ctx context.Context, o tables.Options, whole bool) (tables.Table, error) {
		if s.Profile(r).Storing() {
			return nil, s.NotReady(w, r)
		}
		t, err := s.records(r).Tree(ctx, p.By, p.Rewrite)
		if err == nil && whole {
			t, err = tables.WholeTree(ctx, s.records(r), p.By, p.Rewrite)
		}
		if err != nil {
			return nil, err
		}
		if !t.Complete {
			site.Unsettled(w)
		}
		node, _, ok := t.Find(p.Path)
		if !ok && t.Complete {
			return nil, site.NoNode(&p)
		}
		if !ok { // it may come yet
			return tables.Tree(t, query.TreeNode{Kind: query.Leaf, Path: p.Path}, nil, o), nil
		}
		return tables.Tree(t, node, list(t, node), o), nil
	})
}
