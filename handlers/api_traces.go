package handlers

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"proflens/tables"
)

var traceKeys = slices.Concat([]string{"by"}, listingKeys)

// traceParams is a request for temporal traces.
type traceParams struct {
	listing
	ByFunction bool // by=function
}

// parseTraces reads a request for temporal traces. Errors are *paramError.
func parseTraces(q url.Values) (traceParams, error) {
	v, err := newValues(q, traceKeys)
	if err != nil {
		return traceParams{}, err
	}
	p := traceParams{ByFunction: choice(v, "by", "trace", "function") == "function", listing: v.listing()}
	return p, v.err
}

// listTraces is GET /profiles/{id}/traces: each function of each trace in the
// order in which they first ran, or with by=function each function once, in the
// order that the export "order" writes.
func (s *instrRoom) listTraces(w http.ResponseWriter, r *http.Request) error {
	p, err := parseTraces(r.URL.Query())
	if err != nil {
		return err
	}
	if p.ByFunction {
		return s.listTable(w, r, p.listing, "-order", func(ctx context.Context, o tables.Options, _ bool) (tables.Table, error) {
			return tables.Order(ctx, s.records(r), o)
		})
	}
	return s.listTable(w, r, p.listing, "-traces", func(ctx context.Context, o tables.Options, _ bool) (tables.Table, error) {
		return tables.Traces(ctx, s.records(r), o)
	})
}
