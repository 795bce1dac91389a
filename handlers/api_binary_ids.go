package handlers

import (
	"context"
	"net/http"

	"proflens/tables"
)

var binaryIDKeys = []string{"page", "cursor", "limit", "cols", "format"}

// listBinaryIDs is GET /profiles/{id}/binary-ids: the build ids of the programs
// that were profiled (instrprof.md §2.12).
func (s *server) listBinaryIDs(w http.ResponseWriter, r *http.Request) error {
	v, err := newValues(r.URL.Query(), binaryIDKeys)
	if err != nil {
		return err
	}
	p := v.listing()
	if v.err != nil {
		return v.err
	}
	return s.listTable(w, r, p, "-binary-ids", func(ctx context.Context, o tables.Options, _ bool) (tables.Table, error) {
		return tables.BinaryIDs(s.profile(r), o), nil
	})
}
