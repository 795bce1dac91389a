package mipweb

import (
	"context"
	"fmt"
	"net/http"

	"proflens/handlers/site"
	"proflens/profiledb/mipdb"
	"proflens/tables"
)

// listMIPFunctions is GET /profiles/{id}/functions of a Machine IR Profile.
func (s *room) listMIPFunctions(w http.ResponseWriter, r *http.Request) error {
	p, err := parseMIPFunctions(r.URL.Query())
	if err != nil {
		return err
	}
	if err := hasRuns(s.machine(r).Overview, p.Query.Run, p.Query.OnlyRun); err != nil {
		return err
	}
	return s.ListTable(w, r, p.Listing, "-functions", func(ctx context.Context, o tables.Options, whole bool) (tables.Table, error) {
		return tables.MIPFunctions(ctx, s.machine(r), p.Query, o, whole)
	})
}

// hasRuns checks that a profile has runs of these numbers; 0 asks for none.
func hasRuns(o *mipdb.Overview, numbers ...int) error {
	for _, n := range numbers {
		if n > o.Runs {
			return &site.ParamError{Param: "run", Msg: fmt.Sprintf("there is no run %d: the profile has %d raw files", n, o.Runs)}
		}
	}
	return nil
}

// listMIPOrder is GET /profiles/{id}/traces of a Machine IR Profile: each
// function that ran once, in the order that the export "order" writes.
func (s *room) listMIPOrder(w http.ResponseWriter, r *http.Request) error {
	p, err := parseMIPOrder(r.URL.Query())
	if err != nil {
		return err
	}
	if err := hasRuns(s.machine(r).Overview, p.Query.Run); err != nil {
		return err
	}
	return s.ListTable(w, r, p.Listing, "-order", func(ctx context.Context, o tables.Options, _ bool) (tables.Table, error) {
		return tables.MIPOrder(ctx, s.machine(r), p.Query, o)
	})
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

// getMIPTree is GET /profiles/{id}/tree of a Machine IR Profile.
func (s *room) getMIPTree(w http.ResponseWriter, r *http.Request) error {
	p, err := parseMIPTree(r.URL.Query(), treeKeys)
	if err != nil {
		return err
	}
	return s.treeAnswer(w, r, p, "-tree", func(t *mipdb.Tree, n mipdb.Node) []tables.MIPNode {
		return tables.Below(t.Children, n, p.Depth, p.sort)
	})
}

// getMIPCoverage is GET /profiles/{id}/coverage of a Machine IR Profile: the
// namespaces or files that have functions, each with its own alone.
func (s *room) getMIPCoverage(w http.ResponseWriter, r *http.Request) error {
	p, err := parseMIPTree(r.URL.Query(), coverageKeys)
	if err != nil {
		return err
	}
	return s.treeAnswer(w, r, p, "-coverage", func(t *mipdb.Tree, n mipdb.Node) []tables.MIPNode {
		return tables.MIPLeaves(t, n, p.sort)
	})
}

func (s *room) treeAnswer(w http.ResponseWriter, r *http.Request, p mipTreeParams, name string,
	list func(t *mipdb.Tree, n mipdb.Node) []tables.MIPNode,
) error {
	return s.ListTable(w, r, p.Listing, name, func(ctx context.Context, o tables.Options, _ bool) (tables.Table, error) {
		t, err := s.machine(r).Tree(ctx, p.By)
		if err != nil {
			return nil, err
		}
		node, _, ok := t.Find(p.Path)
		if !ok {
			return nil, site.NoNode(&site.TreeParams{By: p.By, Path: p.Path})
		}
		return tables.MIPTree(t, node, list(t, node), o), nil
	})
}
