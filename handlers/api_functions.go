package handlers

import (
	"context"
	"net/http"

	"proflens/tables"
)

// listFunctions is GET /profiles/{id}/functions: the function records that a
// query selects.
func (s *instrRoom) listFunctions(w http.ResponseWriter, r *http.Request) error {
	p, err := parseFunctions(r.URL.Query())
	if err != nil {
		return err
	}
	return s.listTable(w, r, p.listing, "-functions", func(ctx context.Context, o tables.Options, whole bool) (tables.Table, error) {
		return tables.Functions(ctx, s.records(r), p.Query, o, whole)
	})
}
