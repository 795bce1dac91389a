package covweb

import (
	"context"

	"proflens/internal/humanize"
	"proflens/profile/covdb"
	"proflens/profile/query"
	"proflens/views/covview"
	"proflens/views/picture"
)

// cardRows is how many files the picture of a link has.
const cardRows = 5

// cardChart is the files with the most missing lines.
func cardChart(ctx context.Context, p *covdb.Profile) (*picture.Chart, error) {
	files, _, err := p.Files(ctx, covdb.FileQuery{RowQuery: query.RowQuery{Limit: cardRows}})
	if err != nil {
		return nil, err
	}
	c := &picture.Chart{Title: "Files with the most missing lines"}
	for _, f := range files {
		if f.Lines.Total > 0 {
			c.Rows = append(c.Rows, picture.Row{
				Label: humanize.Printable(f.Base()), Value: covview.Share(f.Lines), To: f.Lines.Percent() / 100, Cover: true,
			})
		}
	}
	return c, nil
}
