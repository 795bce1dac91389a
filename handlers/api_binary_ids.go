package handlers

import (
	"context"
	"net/http"

	"proflens/handlers/site"
	"proflens/tables"
)

var binaryIDKeys = []string{"page", "cursor", "limit", "cols", "format"}

// listBinaryIDs is GET /profiles/{id}/binary-ids: the build IDs of the programs
// that were profiled (instrprof.md §2.12).
func (s *server) listBinaryIDs(w http.ResponseWriter, r *http.Request) error {
	v, err := site.NewValues(r.URL.Query(), binaryIDKeys)
	if err != nil {
		return err
	}
	p := v.Listing()
	if v.Err != nil {
		return v.Err
	}
	return s.ListTable(w, r, p, "-binary-ids", func(ctx context.Context, o tables.Options, _ bool) (tables.Table, error) {
		return tables.BinaryIDs(s.Profile(r), o), nil
	})
}
