package instrweb

import (
	"context"
	"net/http"

	"proflens/handlers/site"
	"proflens/profile/instrdb"
)

// suggest finds functions for the search box, the hottest first.
func (s *handler) suggest(ctx context.Context, r *http.Request, text string,
	limit int) ([]site.Suggestion, bool, error) {
	p := s.records(r)
	rows, scanned, err := p.Suggest(ctx, text, limit, site.SuggestTime)
	return site.Suggestions(rows, func(f *instrdb.Row) site.Suggestion {
		return site.Suggestion{
			FID: site.FID(f.Ref), PGO: []byte(f.PGO), Measure: "counts", Total: f.Total, Share: f.Share,
		}
	}), scanned == p.Overview.Functions || len(rows) == limit, err
}
