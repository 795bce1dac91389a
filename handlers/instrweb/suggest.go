package instrweb

import (
	"context"
	"net/http"

	"proflens/handlers/site"
	"proflens/names"
)

// suggest finds functions for the search box, the hottest first.
func (s *handler) suggest(ctx context.Context, r *http.Request, text string,
	limit int) ([]site.Suggestion, bool, error) {
	p := s.records(r)
	rows, scanned, err := p.Suggest(ctx, text, limit, site.SuggestTime)
	if err != nil {
		return nil, false, err
	}
	list := make([]site.Suggestion, len(rows))
	for i := range rows {
		f := &rows[i]
		_, linkage := names.Split([]byte(f.PGO))
		list[i] = site.Suggestion{
			FID: site.FID(f.Ref), Name: s.Names.Demangle(linkage, names.Full), Measure: "counts", Total: f.Total,
			Share: f.Share,
			Path:  "/functions/" + site.FID(f.Ref),
		}
	}
	return list, scanned == p.Overview.Functions || len(rows) == limit, nil
}
