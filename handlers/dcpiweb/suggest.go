package dcpiweb

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strconv"

	"proflens/handlers/site"
	"proflens/profiledb/dcpidb"
	"proflens/tables"
)

// suggest finds procedures for the search box, those with the most samples first.
func (s *room) suggest(ctx context.Context, r *http.Request, text string, limit int) ([]tables.Suggestion, bool,
	error) {
	page, err := s.database(r).Procedures(ctx, dcpidb.ProcedureQuery{Text: text, Limit: limit})
	if err != nil {
		return nil, false, err
	}
	list := make([]tables.Suggestion, len(page.Rows))
	before := 0.0
	for i := range page.Rows {
		p := &page.Rows[i]
		list[i] = tables.Suggestion{
			Name: p.Name, Measure: "samples", Total: strconv.FormatUint(p.Cells[0].Samples, 10), Share: p.Cum - before,
			Path: site.Address{Path: "/procedures", Query: url.Values{"re": {"^" + regexp.QuoteMeta(p.Name) + "$"}}}.String(),
		}
		before = p.Cum
	}
	return list, true, nil
}
