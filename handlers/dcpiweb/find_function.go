package dcpiweb

import (
	"context"
	"regexp"

	"proflens/analyze"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/dcpidb"
	"proflens/profile/stored"
)

// findFunction finds a function among the procedures of another profile.
func findFunction(ctx context.Context, profile *stored.Profile, base string, pgo []byte) (*site.Occurrence, error) {
	p, err := dcpidb.Of(profile)
	if err != nil {
		return nil, err
	}
	_, linkage := names.Split(pgo)
	exactly := "^" + regexp.QuoteMeta(linkage) + "$"
	page, err := p.Procedures(ctx, dcpidb.ProcedureQuery{Regexp: exactly, Limit: 1})
	if err != nil {
		return nil, err
	}
	if len(page.Rows) == 0 || page.Rows[0].Kind != dcpidb.RowProcedure {
		return nil, stored.ErrNoPart
	}
	samples := page.Rows[0].Cells[0].Samples
	return &site.Occurrence{
		Measure: "samples", Total: analyze.Sum{Lo: samples}, Share: page.Rows[0].Cum,
		URL:    site.NewAddress(base+"/procedures").With("re", exactly).String(),
		Figure: humanize.Number{Text: humanize.Percent(page.Rows[0].Cum, 1)},
		Says:   humanize.Plural(samples, "sample"),
	}, nil
}
