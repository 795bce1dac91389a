package instrweb

import (
	"context"
	"net/http"

	"proflens/handlers/site"
	"proflens/names"
	"proflens/tables"
)

// suggest finds functions for the search box, the hottest first.
func (s *room) suggest(ctx context.Context, r *http.Request, text string, limit int) ([]tables.Suggestion, bool,
	error) {
	p := s.records(r)
	rows, scanned, err := p.Suggest(ctx, text, limit, site.SuggestTime)
	if err != nil {
		return nil, false, err
	}
	list := make([]tables.Suggestion, len(rows))
	for i := range rows {
		f := &rows[i]
		_, linkage := names.Split(f.Name)
		list[i] = tables.Suggestion{
			FID: site.FID(f.NameRef), Name: s.Names.Demangle(linkage, names.Full), Measure: "counts", Total: f.Total.String(),
			Share: f.Share,
			Path:  "/functions/" + site.FID(f.NameRef),
		}
	}
	return list, scanned == p.Overview.Functions || len(rows) == limit, nil
}
