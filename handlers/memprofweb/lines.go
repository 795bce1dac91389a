package memprofweb

import (
	"context"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/memprofdb"
	"proflens/profile/stored"
)

// atLine are the functions whose frames are on a line, with the contexts through them.
func (s *handler) atLine(ctx context.Context, p *stored.Profile, base, file string, line uint32,
	limit int) (site.LineThings, error) {
	things := site.LineThings{Title: "Bytes through"}
	heap, err := memprofdb.Of(p)
	if err != nil {
		return things, err
	}
	n, err := s.heapNames(ctx, heap, s.Symbols(names.Full))
	if err != nil {
		return things, err
	}
	list, all, err := heap.AtLine(ctx, file, line, limit)
	if err != nil {
		return things, err
	}
	things.All = all
	for _, f := range list {
		contexts := site.NewAddress(base+"/sites").With("by", "context").With("function", site.FID(f.FID))
		things.List = append(things.List, site.LineThing{
			Name: n.Function(f.Function), URL: contexts.String(), Value: humanize.Bytes(f.Through),
		})
	}
	return things, nil
}
