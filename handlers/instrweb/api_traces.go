package instrweb

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/profile/instrdb"
	"proflens/profile/table"
)

func traceKeys() []string { return slices.Concat([]string{"by"}, orderList().Keys()) }

// traceParams is a request for temporal traces.
type traceParams struct {
	lists.Params
	ByFunction bool // by=function
}

// parseTraces reads a request for temporal traces. Errors are *site.ParamError.
func parseTraces(q url.Values) (traceParams, error) {
	v := site.NewValues(q, traceKeys())
	p := traceParams{ByFunction: site.Choice(v, "by", "trace", "function") == "function", Params: orderList().Read(v)}
	for _, key := range orderList().Keys() {
		if !p.ByFunction && !slices.Contains(site.ListingKeys, key) && v.One(key) != "" {
			v.Fail(key, "works only with by=function")
		}
	}
	return p, v.Err
}

// listTraces is GET /profiles/{id}/traces: each function of each trace in the
// order in which they first ran, or with by=function each function once, in the
// order that the export "order" writes.
func (s *handler) listTraces(w http.ResponseWriter, r *http.Request) error {
	p, err := parseTraces(r.URL.Query())
	if err != nil {
		return err
	}
	if p.ByFunction {
		return s.ListTable(w, r, p.Listing, "-order",
			func(ctx context.Context, o table.Options, whole bool) (table.Table, error) {
				return openOrder(ctx, s.records(r), p.Params, o, whole)
			})
	}
	return s.ListTable(w, r, p.Listing, "-traces",
		func(ctx context.Context, o table.Options, _ bool) (table.Table, error) {
			find, err := s.records(r).FindTraced(ctx)
			return instrdb.Traced.Open(find, table.Query{}, o, true), err
		})
}
