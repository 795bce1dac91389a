package memprofweb

import (
	"context"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/memprofdb"
	"proflens/views/chart"
	"proflens/views/picture"
)

// cardRows is how many sites the picture of a link has.
const cardRows = 5

// cardChart is the functions that allocate most.
func (s *handler) cardChart(ctx context.Context, heap *memprofdb.Profile) (*picture.Chart, error) {
	n, err := s.heapNames(ctx, heap, s.Symbols(names.Short))
	if err != nil {
		return nil, err
	}
	sites, err := heap.Blame(ctx, memprofdb.BlameQuery{Library: s.own(), Limit: cardRows})
	if err != nil {
		return nil, err
	}
	c := &picture.Chart{Title: "Who allocates, by bytes"}
	for i := range sites.Rows {
		row := &sites.Rows[i]
		if row.Bytes.IsZero() {
			break
		}
		label := "only library frames"
		if row.Function != nil {
			label = site.ShortName(n.Function(row.Function))
		}
		bytes, top := row.Bytes.Float64(), sites.Rows[0].Bytes.Float64()
		c.Rows = append(c.Rows, picture.Row{
			Label: label, Value: humanize.SumBytes(row.Bytes).Text, To: humanize.Part(bytes, top),
			Step: chart.ShareStep(bytes, top),
		})
	}
	return c, nil
}
