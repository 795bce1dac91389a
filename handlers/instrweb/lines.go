package instrweb

import (
	"context"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/instrdb"
	"proflens/profile/stored"
)

// atLine are the functions that are declared on a line.
func (s *handler) atLine(ctx context.Context, p *stored.Profile, base, file string, line uint32,
	limit int) (site.LineThings, error) {
	things := site.LineThings{Title: "Declared here"}
	records, err := instrdb.Of(p)
	if err != nil {
		return things, err
	}
	rows, all, err := records.DeclaredAt(ctx, file, line, limit)
	if err != nil {
		return things, err
	}
	things.All = all
	symbols := s.Symbols(names.Full)
	o := records.Overview
	for i := range rows {
		r := &rows[i]
		value := humanize.SumCount(r.Total)
		if r.Entered {
			value = humanize.Count(r.Entry)
		}
		things.List = append(things.List, site.LineThing{
			Name: symbols.Name([]byte(r.PGO), r.Ref), URL: functionURL(base, o, r), Value: value,
		})
	}
	return things, nil
}
