package dcpiweb

import (
	"context"
	"net/http"
	"regexp"

	"proflens/analyze"
	"proflens/handlers/site"
	"proflens/profile/dcpidb"
)

// suggest finds procedures for the search box, those with the most samples first.
func (s *handler) suggest(ctx context.Context, r *http.Request, text string,
	limit int) ([]site.Suggestion, bool, error) {
	page, err := s.database(r).Procedures(ctx, dcpidb.ProcedureQuery{Text: text, Limit: limit})
	if err != nil {
		return nil, false, err
	}
	list := make([]site.Suggestion, len(page.Rows))
	before := 0.0
	for i := range page.Rows {
		p := &page.Rows[i]
		list[i] = site.Suggestion{
			Name: p.Name, Measure: "samples", Total: analyze.Sum{Lo: p.Cells[0].Samples}, Share: p.Cum - before,
			Path: site.NewAddress("/procedures").With("re", "^"+regexp.QuoteMeta(p.Name)+"$").String(),
		}
		before = p.Cum
	}
	return list, true, nil
}
