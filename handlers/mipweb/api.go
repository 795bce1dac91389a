package mipweb

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/profiledb/mipdb"
	"proflens/tables"
)

// openFunctions is the functions that a query selects.
func openFunctions(ctx context.Context, m *mipdb.Profile, p functionParams, o tables.Options,
	whole bool) (tables.Table, error) {
	if err := hasRuns(m.Overview, p.Query.Run, p.Query.OnlyRun); err != nil {
		return nil, err
	}
	return tables.MIPFunctions(ctx, m, p.Query, o, whole)
}

// parseDead reads a request for functions that no run executed. Errors are
// *site.ParamError.
func parseDead(q url.Values) (functionParams, error) {
	p, err := parseMIPFunctions(q)
	p.Query.Executed = tables.Dead().Executed
	return p, err
}

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

// openOrder is each function that ran once, in the order that the export "order"
// writes.
func openOrder(ctx context.Context, m *mipdb.Profile, p orderParams, o tables.Options, _ bool) (tables.Table, error) {
	if err := hasRuns(m.Overview, p.Query.Run); err != nil {
		return nil, err
	}
	return tables.MIPOrder(ctx, m, p.Query, o)
}

// listMIPRuns is GET /profiles/{id}/runs: the raw files of a Machine IR Profile.
func (s *room) listMIPRuns(w http.ResponseWriter, r *http.Request) error {
	v, err := site.NewValues(r.URL.Query(), site.ListingKeys)
	if err != nil {
		return err
	}
	p := v.Listing()
	if v.Err != nil {
		return v.Err
	}
	return s.ListTable(w, r, p, "-runs", func(ctx context.Context, o tables.Options, _ bool) (tables.Table, error) {
		return tables.MIPRuns(ctx, s.machine(r), o)
	})
}

// openTree is the nodes below one, down to a depth.
func openTree(ctx context.Context, m *mipdb.Profile, p lists.TreeParams, o tables.Options, _ bool) (tables.Table,
	error) {
	return treeTable(ctx, m, p, o, func(t *mipdb.Tree, n mipdb.Node) []tables.MIPNode {
		return tables.Below(t.Children, n, p.Depth, treeNodes.Sorter(&p))
	})
}

// openCoverage is the namespaces or files that have functions, each with its own
// alone.
func openCoverage(ctx context.Context, m *mipdb.Profile, p lists.TreeParams, o tables.Options, _ bool) (tables.Table,
	error) {
	return treeTable(ctx, m, p, o, func(t *mipdb.Tree, n mipdb.Node) []tables.MIPNode {
		return tables.MIPLeaves(t, n, treeNodes.Sorter(&p))
	})
}

func treeTable(ctx context.Context, m *mipdb.Profile, p lists.TreeParams, o tables.Options,
	list func(t *mipdb.Tree, n mipdb.Node) []tables.MIPNode) (tables.Table, error) {
	t, err := m.Tree(ctx, p.By)
	if err != nil {
		return nil, err
	}
	node, _, ok := t.Find(p.Path)
	if !ok {
		return nil, p.NoNode()
	}
	return tables.MIPTree(t, node, treeNodes.PickNested(list(t, node), &p), o), nil
}
