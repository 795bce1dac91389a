package memprofweb

import (
	"context"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/memprofdb"
)

// throughHere is a function whose frames are on a line, with the contexts through them.
func (s *handler) throughHere(ctx context.Context, heap *memprofdb.Profile, base string,
	f *memprofdb.LineFunction) (site.LineThing, error) {
	n, err := s.heapNames(ctx, heap, s.Symbols(names.Full))
	contexts := site.NewAddress(base+"/sites").With("by", "context").With("function", site.FID(f.FID))
	return site.LineThing{
		Name: n.Function(f.Function), URL: contexts.String(), Value: humanize.Bytes(f.Through),
	}, err
}
