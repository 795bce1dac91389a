package sampleweb

import (
	"context"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/sampledb"
	"proflens/profile/stored"
)

// atLine are the functions that have samples on a line.
func (s *handler) atLine(ctx context.Context, p *stored.Profile, base, file string, line uint32,
	limit int) (site.LineThings, error) {
	things := site.LineThings{Title: "Samples of"}
	m, err := sampledb.Of(p)
	if err != nil {
		return things, err
	}
	list, all, err := m.AtLine(ctx, file, line, limit)
	if err != nil {
		return things, err
	}
	things.All = all
	symbols := s.Symbols(names.Full)
	for _, f := range list {
		things.List = append(things.List, site.LineThing{
			Name: nameOf(f.Name, symbols), URL: pageOf(base, f.Name), Value: humanize.Count(f.Samples),
		})
	}
	return things, nil
}
