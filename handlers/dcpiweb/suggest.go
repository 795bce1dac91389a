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
	before := 0.0
	return site.Suggestions(page.Rows, func(p *dcpidb.ProcedureRow) site.Suggestion {
		share := p.Cum - before
		before = p.Cum
		return site.Suggestion{
			Name: p.Name, Measure: "samples", Total: analyze.Sum{Lo: p.Cells[0].Samples}, Share: share,
			Path: site.NewAddress("/procedures").With("re", "^"+regexp.QuoteMeta(p.Name)+"$").String(),
		}
	}), true, nil
}
