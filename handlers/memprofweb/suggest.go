package memprofweb

import (
	"context"
	"net/http"

	"proflens/handlers/site"
	"proflens/profile/memprofdb"
)

// suggest finds functions for the search box, those with the most bytes first.
func (s *handler) suggest(ctx context.Context, r *http.Request, text string,
	limit int) ([]site.Suggestion, bool, error) {
	rows, whole, err := s.heap(r).Suggest(ctx, text, limit, site.SuggestTime)
	return site.Suggestions(rows, func(f *memprofdb.Through) site.Suggestion {
		return site.Suggestion{
			FID: site.FID(f.FID), PGO: []byte(f.Name), Measure: "bytes", Total: f.Bytes, Share: f.Share,
			Path: "/sites?by=context&function=" + site.FID(f.FID),
		}
	}), whole, err
}
