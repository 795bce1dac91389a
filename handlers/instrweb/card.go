package instrweb

import (
	"context"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/instrdb"
	"proflens/views/chart"
	"proflens/views/picture"
)

// cardRows is how many functions the picture of a link has.
const cardRows = 5

// cardChart is the hottest functions.
func (s *handler) cardChart(ctx context.Context, records *instrdb.Profile) (*picture.Chart, error) {
	hottest, err := records.Functions(ctx, instrdb.Query{Limit: cardRows})
	if err != nil {
		return nil, err
	}
	c := &picture.Chart{Title: "Hottest functions, by share of all counts"}
	for i := range hottest.Rows {
		row := &hottest.Rows[i]
		if row.Total.IsZero() {
			break
		}
		top := topShare(records.Overview)
		c.Rows = append(c.Rows, picture.Row{
			Label: site.ShortName(s.Symbols(names.Short).Name([]byte(row.PGO), row.Ref)),
			Value: humanize.Percent(row.Share, 1),
			To:    humanize.Part(row.Share, top), Step: chart.ShareStep(row.Share, top),
		})
	}
	return c, nil
}
