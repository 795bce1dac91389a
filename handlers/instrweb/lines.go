package instrweb

import (
	"context"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/instrdb"
)

// declaredHere is a function that is declared on a line.
func (s *handler) declaredHere(_ context.Context, p *instrdb.Profile, base string,
	r *instrdb.Row) (site.LineThing, error) {
	value := humanize.SumCount(r.Total)
	if r.Entered {
		value = humanize.Count(r.Entry)
	}
	name := s.Symbols(names.Full).Name([]byte(r.PGO), r.Ref)
	return site.LineThing{Name: name, URL: functionURL(base, p.Overview, r), Value: value}, nil
}
