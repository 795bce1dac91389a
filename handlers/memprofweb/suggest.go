package memprofweb

import (
	"context"
	"net/http"

	"proflens/handlers/site"
	"proflens/names"
)

// suggest finds functions for the search box, those with the most bytes first.
func (s *handler) suggest(ctx context.Context, r *http.Request, text string,
	limit int) ([]site.Suggestion, bool, error) {
	rows, whole, err := s.heap(r).Suggest(ctx, text, limit, site.SuggestTime)
	if err != nil {
		return nil, false, err
	}
	list := make([]site.Suggestion, len(rows))
	for i := range rows {
		f := &rows[i]
		_, linkage := names.Split([]byte(f.Name))
		list[i] = site.Suggestion{
			FID: site.FID(f.FID), Name: s.Names.Demangle(linkage, names.Full), Measure: "bytes", Total: f.Bytes,
			Share: f.Share,
			Path:  "/sites?by=context&function=" + site.FID(f.FID),
		}
	}
	return list, whole, nil
}
