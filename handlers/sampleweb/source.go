package sampleweb

import (
	"context"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/sampledb"
)

// sampledHere is a function that has samples on a line.
func (s *handler) sampledHere(_ context.Context, _ *sampledb.Profile, base string,
	f *sampledb.LineFunction) (site.LineThing, error) {
	return site.LineThing{
		Name: nameOf(f.Name, s.Symbols(names.Full)), URL: pageOf(base, f.Name), Value: humanize.Count(f.Samples),
	}, nil
}
