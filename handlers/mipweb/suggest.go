package mipweb

import (
	"context"
	"net/http"

	"proflens/analyze"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
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
	list := make([]site.Suggestion, len(page.Rows))
	for i := range page.Rows {
		f := &page.Rows[i]
		_, linkage := names.Split(f.Linkage)
		list[i] = site.Suggestion{
			FID: f.FID, Name: s.Names.Demangle(linkage, names.Full), Measure: "size",
			Total: analyze.Sum{Lo: uint64(f.Size)},
			Share: humanize.Part(uint64(f.Size), p.Overview.Bytes), Path: "/functions/" + f.FID,
		}
	}
	return list, page.Complete, nil
}
