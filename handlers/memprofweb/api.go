package memprofweb

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"github.com/go-chi/chi/v5"

	"proflens/analyze"
	"proflens/handlers/site"
	"proflens/profile/memprofdb"
	"proflens/profile/query"
	"proflens/profile/table"
)

// errNoContext is the answer to an address that is no allocation context's.
var errNoContext error = &site.Absent{
	Title: "No such allocation context", Detail: "the profile has no allocation context with this address",
}

// The parameters of the tables of heap profiles.
var (
	allocationKeys = slices.Concat(filterKeys, []string{"sort"}, site.ListingKeys)
	siteKeys       = slices.Concat(filterKeys, []string{"by", "depth", "node", "sort"}, site.ListingKeys)
	contextKeys    = slices.Concat(thresholdKeys, []string{"names", "counts", "format"})
)

// allocationParams is a request for allocation contexts, of a page and of the API.
type allocationParams struct {
	Query memprofdb.Query // with Offset and Limit as in the listing
	site.Listing
}

// parseAllocations reads such a request. Errors are *site.ParamError.
func parseAllocations(q url.Values, own *analyze.Library) (allocationParams, error) {
	v := site.NewValues(q, allocationKeys)
	p := allocationParams{
		Query:   memprofdb.Query{Filter: filterOf(v, own), Sort: v.Sort("sort", memprofdb.Allocations.Sorts())},
		Listing: v.Listing(),
	}
	p.Query.Offset, p.Query.Limit = p.Offset, p.Limit
	return p, v.Err
}

// openAllocations is the allocation contexts that a query selects.
func openAllocations(_ context.Context, p *memprofdb.Profile, q allocationParams, o table.Options,
	_ bool) (table.Table, error) {
	return memprofdb.Allocations.Open(p.FindContexts(q.Query), table.Query{}, o, true), nil
}

// getContext is GET /profiles/{id}/allocations/{context}: one allocation context
// with its whole stack, its access histogram, and the others of its site.
func (s *handler) getContext(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), contextKeys)
	t, p := thresholdsOf(v), v.Listing()
	if v.Err != nil {
		return v.Err
	}
	if p.Format != "" && p.Format != table.FormatJSON {
		return &site.ParamError{Param: "format", Msg: "one context is available as json only"}
	}
	if s.NotModified(w, r, "") {
		return nil
	}
	ctx := s.RequestContext(r)
	address, ok := site.ParseFID(chi.URLParam(r, "context"))
	if !ok {
		return fmt.Errorf("%w: it is 16 lower-case hexadecimal digits", errNoContext)
	}
	c, err := s.heap(r).Context(ctx, address, t)
	if err != nil {
		return site.OrAbsent(err, errNoContext)
	}
	more := &contextMembers{Histogram: c.MIB.Histogram, Contexts: c.Contexts}
	for _, f := range c.Recorded {
		more.Recorded = append(more.Recorded, f.FID)
	}
	for i := range c.Siblings {
		more.Others = append(more.Others, c.Siblings[i].Context)
	}
	o := &table.Options{Demangle: s.Cached(p.Names), Quote: p.Counts}
	b := table.AppendMembers(memprofdb.Allocations.AppendObject(nil, &c.Row, o), more, o)
	w.Header().Set("Content-Type", "application/json")
	w.Write(append(b, '\n'))
	return nil
}

// contextMembers are what one context has beside its row.
type contextMembers struct {
	Histogram []uint64 `col:"histogram"`
	Recorded  []uint64 `col:"recorded_under" is:"hex"`
	Contexts  int      `col:"site_contexts"`
	Others    []uint64 `col:"others_of_site" is:"hex"`
}

// siteParams is a request for allocation sites, of a page and of the API.
type siteParams struct {
	Query memprofdb.SiteQuery // with Offset and Limit as in the listing
	// Tree asks for the tree of folders below Node instead, Depth levels of it.
	Tree  bool
	Node  string
	Depth int
	site.Listing
}

// sitesByPath is the value of by that asks for the tree of folders.
const sitesByPath = "path"

// parseSites reads such a request. Errors are *site.ParamError.
func parseSites(q url.Values, own *analyze.Library) (siteParams, error) {
	v := site.NewValues(q, siteKeys)
	by := site.Choice(v, "by", append(slices.Clone(memprofdb.SitesBy), sitesByPath, memprofdb.SitesByBlame,
		memprofdb.SitesByType)...)
	p := siteParams{
		Query: memprofdb.SiteQuery{Filter: filterOf(v, own), By: by, Sort: siteSort(v, "sort", by)},
		Tree:  by == sitesByPath, Node: v.One("node"), Depth: v.Number("depth", 1, 64, 1), Listing: v.Listing(),
	}
	p.Query.Offset, p.Query.Limit = p.Offset, p.Limit
	switch {
	case !p.Tree && p.Node != "":
		v.Fail("node", "works only with by=path")
	case !p.Tree && v.One("depth") != "": // a range of the depth of stacks elsewhere
		v.Fail("depth", "works only with by=path")
	}
	return p, v.Err
}

// siteSort reads "-bytes,name".
func siteSort(v *site.Values, key string, by memprofdb.SiteBy) []query.Key {
	if blames(by) {
		return v.Sort(key, memprofdb.BlameSites.Sorts())
	}
	return v.Sort(key, memprofdb.Sites.Sorts())
}

// openSites is allocation contexts added up by the function, the call or the file that
// allocates, by blame, or by folders.
func openSites(ctx context.Context, p *memprofdb.Profile, q siteParams, o table.Options,
	whole bool) (table.Table, error) {
	sort := table.Query{RowQuery: query.RowQuery{Sort: q.Query.Sort}}
	switch {
	case blames(q.Query.By):
		find, err := p.FindBlame(ctx, q.Query.Filter, q.Query.By)
		return memprofdb.BlameSites.Open(find, sort, o, whole), err
	case !q.Tree:
		find, err := p.FindSites(ctx, q.Query.Filter, q.Query.By)
		return memprofdb.Sites.Open(find, sort, o, whole), err
	}
	t, err := p.Tree(ctx, q.Query.Filter)
	if err != nil {
		return nil, err
	}
	node, _, ok := t.Find(q.Node)
	if !ok {
		return nil, &site.Absent{Title: "No such file path",
			Detail: fmt.Sprintf("nothing is allocated in the file path %q", q.Node)}
	}
	return memprofdb.TableOf(t, node, q.Depth,
		func(nodes []memprofdb.Node) { _ = memprofdb.SortNodes(ctx, nodes, q.Query.Sort) }, o), nil
}

// blames reports whether sites are added up by blame.
func blames(by memprofdb.SiteBy) bool {
	return by == memprofdb.SitesByBlame || by == memprofdb.SitesByType
}

// callerKeys are the parameters of the callers of a blame frame.
var callerKeys = slices.Concat(filterKeys, foldKeys, []string{"nodes"}, site.ListingKeys)

// listCallers is GET /profiles/{id}/callers: the contexts of a blame frame, or those
// that a filter selects, as a tree of their callers.
func (s *handler) listCallers(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), callerKeys)
	f, fold, nodes, p := filterOf(v, s.own()), foldOf(v, s.own(), true), v.Number("nodes", 1, maxCallers, callersShown),
		v.Listing()
	if v.Err != nil {
		return v.Err
	}
	return s.ListTable(w, r, p, "-callers", func(ctx context.Context, o table.Options, whole bool) (table.Table, error) {
		find, err := s.heap(r).FindCallers(ctx, f, fold, nodes)
		return memprofdb.BlameNodes.Open(find, table.Query{}, o, whole), err
	})
}
