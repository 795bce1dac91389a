package handlers

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"proflens/profiledb/memprofdb"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
	"proflens/tables"
)

// errNoContext is the answer to an address that is no allocation context's.
var errNoContext error = &absent{"No such allocation context", "the profile has no allocation context with this address"}

// The parameters of the tables of heap profiles.
var (
	allocationKeys = slices.Concat(heapFilterKeys, []string{"sort"}, listingKeys)
	siteKeys       = slices.Concat(heapFilterKeys, []string{"by", "depth", "node", "sort"}, listingKeys)
	contextKeys    = slices.Concat(heapThresholdKeys, []string{"names", "counts", "format"})
)

// allocationParams is a request for allocation contexts, of a page and of the API.
type allocationParams struct {
	Query memprofdb.Query // with Offset and Limit as in the listing
	listing
}

// parseAllocations reads such a request. Errors are *paramError.
func parseAllocations(q url.Values) (allocationParams, error) {
	v, err := newValues(q, allocationKeys)
	if err != nil {
		return allocationParams{}, err
	}
	p := allocationParams{Query: memprofdb.Query{Filter: heapFilter(v), Sort: heapSort(v, "sort")}, listing: v.listing()}
	p.Query.Offset, p.Query.Limit = p.Offset, p.Limit
	return p, v.err
}

// listAllocations is GET /profiles/{id}/allocations: the allocation contexts
// that a query selects.
func (s *memprofRoom) listAllocations(w http.ResponseWriter, r *http.Request) error {
	p, err := parseAllocations(r.URL.Query())
	if err != nil {
		return err
	}
	return s.listTable(w, r, p.listing, "-allocations", func(ctx context.Context, o tables.Options, _ bool) (tables.Table, error) {
		return tables.Allocations(ctx, s.heap(r), p.Query, o)
	})
}

// getContext is GET /profiles/{id}/allocations/{context}: one allocation context
// with its whole stack, its access histogram, and the others of its site.
func (s *memprofRoom) getContext(w http.ResponseWriter, r *http.Request) error {
	v, err := newValues(r.URL.Query(), contextKeys)
	if err != nil {
		return err
	}
	t, p := heapThresholds(v), v.listing()
	if v.err != nil {
		return v.err
	}
	if p.Format != "" && p.Format != tables.FormatJSON {
		return &paramError{Param: "format", Msg: "one context is written as json only"}
	}
	if s.notModified(w, r, "") {
		return nil
	}
	ctx, cancel := s.requestContext(r)
	defer cancel()
	address, ok := parseFID(chi.URLParam(r, "context"))
	if !ok {
		return fmt.Errorf("%w: it is 16 lower-case hexadecimal digits", errNoContext)
	}
	c, err := s.heap(r).Context(ctx, address, t)
	if errors.Is(err, stored.ErrNoPart) {
		return errNoContext
	}
	if err != nil {
		return err
	}
	modules, err := s.heap(r).Modules(ctx)
	if err != nil {
		return err
	}
	row := tables.NewContext(&c.Row, modules, s.cached(p.Names))
	b := tables.AppendObject(nil, tables.ContextColumns, p.Counts, &row)
	b = append(b[:len(b)-1], `,"histogram":[`...)
	for i, n := range c.MIB.Histogram {
		if i > 0 {
			b = append(b, ',')
		}
		b = tables.AppendCount(b, n, p.Counts)
	}
	b = append(b, `],"recorded_under":[`...)
	for i, f := range c.Recorded {
		if i > 0 {
			b = append(b, ',')
		}
		b = tables.AppendString(b, fid(f.FID))
	}
	b = fmt.Appendf(b, `],"site_contexts":%d,"others_of_site":[`, c.Contexts)
	for i := range c.Siblings {
		if i > 0 {
			b = append(b, ',')
		}
		b = tables.AppendString(b, fid(c.Siblings[i].Context))
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(append(b, "]}\n"...))
	return nil
}

// siteParams is a request for allocation sites, of a page and of the API.
type siteParams struct {
	Query memprofdb.SiteQuery // with Offset and Limit as in the listing
	// Tree asks for the tree of folders below Node instead, Depth levels of it.
	Tree  bool
	Node  string
	Depth int
	listing
}

// sitesByPath is the value of by that asks for the tree of folders.
const sitesByPath = "path"

// parseSites reads such a request. Errors are *paramError.
func parseSites(q url.Values) (siteParams, error) {
	v, err := newValues(q, siteKeys)
	if err != nil {
		return siteParams{}, err
	}
	by := choice(v, "by", append(slices.Clone(memprofdb.SitesBy), sitesByPath)...)
	p := siteParams{
		Query: memprofdb.SiteQuery{Filter: heapFilter(v), By: by, Sort: siteSort(v, "sort")},
		Tree:  by == sitesByPath, Node: v.one("node"), Depth: v.number("depth", 1, 64, 1), listing: v.listing(),
	}
	p.Query.Offset, p.Query.Limit = p.Offset, p.Limit
	switch {
	case p.Tree && v.one("sort") != "":
		v.fail("sort", "the tree of paths stands by bytes; by=file can be sorted")
	case !p.Tree && p.Node != "":
		v.fail("node", "only by=path has nodes")
	case !p.Tree && v.one("depth") != "": // a range of the depth of stacks elsewhere
		v.fail("depth", "only by=path has levels")
	}
	return p, v.err
}

// siteSort reads "-bytes,name".
func siteSort(v *values, key string) []query.Key {
	var keys []query.Key
	for _, word := range v.list(key) {
		name, desc := strings.CutPrefix(word, "-")
		column := query.Column(name)
		if !slices.Contains(memprofdb.SiteColumns, column) {
			v.fail(key, "%q cannot be sorted by; a list of %s is right, each with - in front to descend", word, joinWords(memprofdb.SiteColumns))
			continue
		}
		keys = append(keys, query.Key{Column: column, Desc: desc})
	}
	return keys
}

// listSites is GET /profiles/{id}/sites: allocation contexts added up by the
// function, the call or the file that allocates, or by folders.
func (s *memprofRoom) listSites(w http.ResponseWriter, r *http.Request) error {
	p, err := parseSites(r.URL.Query())
	if err != nil {
		return err
	}
	return s.listTable(w, r, p.listing, "-sites", func(ctx context.Context, o tables.Options, _ bool) (tables.Table, error) {
		if !p.Tree {
			return tables.HeapSites(ctx, s.heap(r), p.Query, o)
		}
		t, err := s.heap(r).Tree(ctx, p.Query.Filter)
		if err != nil {
			return nil, err
		}
		node, _, ok := t.Find(p.Node)
		if !ok {
			return nil, &problem{Status: http.StatusNotFound, Kind: "not_found", Title: "No such file path",
				Detail: fmt.Sprintf("nothing is allocated in the file path %q", p.Node)}
		}
		return tables.HeapTree(t, node, p.Depth, o), nil
	})
}

// plainTable answers with a table that has no filters.
func (s *memprofRoom) plainTable(name string, open func(context.Context, *memprofdb.Profile, tables.Options) (tables.Table, error)) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		v, err := newValues(r.URL.Query(), listingKeys)
		if err != nil {
			return err
		}
		p := v.listing()
		if v.err != nil {
			return v.err
		}
		return s.listTable(w, r, p, name, func(ctx context.Context, o tables.Options, _ bool) (tables.Table, error) {
			return open(ctx, s.heap(r), o)
		})
	}
}
