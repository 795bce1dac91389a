package sampleweb

import (
	"context"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/sampledb"
	"proflens/views/chart"
	"proflens/views/picture"
)

// cardRows is how many functions the picture of a link has.
const cardRows = 5

// cardChart is the functions with the most samples.
func (s *handler) cardChart(ctx context.Context, m *sampledb.Profile) (*picture.Chart, error) {
	top, err := m.Find(ctx, sampledb.Query{RowQuery: limited(cardRows)})
	if err != nil {
		return nil, err
	}
	c := &picture.Chart{Title: "Functions by share of all samples"}
	symbols := s.Symbols(names.Short)
	for _, n := range top.Rows {
		if n.Total == 0 {
			break
		}
		first := float64(top.Rows[0].Total)
		c.Rows = append(c.Rows, picture.Row{
			Label: site.ShortName(nameOf(n, symbols)), Value: humanize.PartPercent(n.Total, top.Total, 1),
			To: humanize.Part(float64(n.Total), first), Step: chart.ShareStep(float64(n.Total), first),
		})
	}
	return c, nil
}
