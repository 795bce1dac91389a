package handlers

import (
	"context"
	"encoding/hex"
	"net/http"
)

var binaryIDKeys = []string{"page", "cursor", "limit", "cols", "format"}

var binaryIDColumns = []column[[]byte]{
	{"id", 40, func(id *[]byte) cell { return textOf(hex.EncodeToString(*id)) }},
	{"bytes", 5, func(id *[]byte) cell { return intOf(uint64(len(*id))) }},
}

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
	return listRows(s, w, r, p, func(ctx context.Context) (rowList[[]byte], error) {
		o, err := s.profile(r).Overview(ctx)
		if err != nil {
			return rowList[[]byte]{}, err
		}
		ids := o.Info.BinaryIDs
		return rowList[[]byte]{name: "-binary-ids", columns: binaryIDColumns, read: func(_ context.Context, offset, limit int) ([][]byte, int, error) {
			from := min(offset, len(ids))
			return ids[from:min(len(ids), from+limit)], len(ids), nil
		}}, nil
	})
}
