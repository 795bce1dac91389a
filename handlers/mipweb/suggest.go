package mipweb

import (
	"context"
	"net/http"

	"proflens/analyze"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/mipdb"
	"proflens/profile/query"
)

// suggest finds functions for the search box, the largest first.
func (s *handler) suggest(ctx context.Context, r *http.Request, text string,
	limit int) ([]site.Suggestion, bool, error) {
	p := s.machine(r)
	page, err := p.Functions(ctx, mipdb.Query{Names: query.Names{Text: text}, Limit: limit})
	if err != nil {
		return nil, false, err
	}
	return site.Suggestions(page.Rows, func(f *mipdb.Row) site.Suggestion {
		return site.Suggestion{
			FID: f.FID, PGO: f.Linkage, Measure: "size", Total: analyze.Sum{Lo: uint64(f.Size)},
			Share: humanize.Part(uint64(f.Size), p.Overview.Bytes),
		}
	}), page.Complete, nil
}
