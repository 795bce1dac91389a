package instrweb

import (
	"context"
	"net/http"

	"proflens/tables"
)

// listFunctions is GET /profiles/{id}/functions: the function records that a
// query selects.
func (s *room) listFunctions(w http.ResponseWriter, r *http.Request) error {
	p, err := ParseFunctions(r.URL.Query())
	if err != nil {
		return err
	}
	return s.ListTable(w, r, p.Listing, "-functions", func(ctx context.Context, o tables.Options, whole bool) (tables.Table, error) {
		return tables.Functions(ctx, s.records(r), p.Query, o, whole)
	})
}
