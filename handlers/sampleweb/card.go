package sampleweb

import (
	"context"

	"proflens/handlers/site"
	"proflens/names"
	"proflens/profiledb/sampledb"
	"proflens/profiledb/stored"
	"proflens/say"
	"proflens/views/chart"
	"proflens/views/page"
	"proflens/views/picture"
)

// cardRows is how many functions the picture of a link has.
const cardRows = 5

// cardFacts are the figures that a shared link shows.
func cardFacts(p *stored.Profile) ([]page.Fact, error) {
	m, err := sampledb.Of(p)
	if err != nil {
		return nil, err
	}
	o := m.Overview
	third := page.Fact{Term: "Inlined", Value: say.Percent(site.Part(o.Inlined.Float64(), o.Samples.Float64()), 1)}
	if o.Program.CanTell() {
		_, share := lost(o)
		third = page.Fact{Term: "Lost on the program", Value: say.Percent(share, 1)}
	}
	return []page.Fact{{Term: "Samples", One: "sample", Value: say.BigCount(o.Samples.String()).Text},
		{Term: "Functions", One: "function", Value: say.Int(o.Functions)}, third}, nil
}

// cardChart is the functions with the most samples.
func (s *room) cardChart(ctx context.Context, p *stored.Profile) (*picture.Chart, error) {
	m, err := sampledb.Of(p)
	if err != nil {
		return nil, err
	}
	top, err := m.Find(ctx, sampledb.Query{RowQuery: limited(cardRows)})
	if err != nil {
		return nil, err
	}
	c := &picture.Chart{Title: "Functions by share of all samples"}
	symbols := site.Symbols{Cache: s.Names, Mode: names.Short}
	for _, n := range top.Rows {
		if n.Total == 0 {
			break
		}
		first := float64(top.Rows[0].Total)
		c.Rows = append(c.Rows, picture.Row{
			Label: site.ShortName(nameOf(n, symbols)), Value: say.Percent(part(n.Total, top.Total), 1),
			To: site.Part(float64(n.Total), first), Step: chart.ShareStep(float64(n.Total), first),
		})
	}
	return c, nil
}
