package covweb

import (
	"context"

	"proflens/analyze"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/covdb"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// findFiles finds files of source by the words of their paths, the longest first.
func findFiles(ctx context.Context, profile *stored.Profile, text string, limit int) ([]site.Suggestion, error) {
	p, err := covdb.Of(profile)
	if err != nil {
		return nil, err
	}
	files, _, err := p.Files(ctx, covdb.FileQuery{RowQuery: query.RowQuery{
		Text: text, Sort: []query.Key{{Column: "total", Desc: true}}, Limit: limit,
	}})
	if err != nil {
		return nil, err
	}
	var found []site.Suggestion
	for _, f := range files {
		found = append(found, site.Suggestion{
			Name: humanize.Printable(f.Path), Measure: "lines", Total: analyze.Sum{Lo: uint64(f.Lines.Total)},
			Share: humanize.Part(f.Lines.Total, p.Overview.Totals.Lines.Total), Path: fileURL("", f),
		})
	}
	return found, nil
}
