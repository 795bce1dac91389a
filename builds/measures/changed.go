package measures

import (
	"context"

	"proflens/decode/unidiff"
	"proflens/profile/covdb"
	"proflens/profile/stored"
)

// Changed measures how the lines ran that a diff adds. text is the lines of a source
// file, by its name in the mapping, and tells hunks that are of another version; it may be
// nil. Of a profile without source coverage, and of a diff without code, the set is empty.
func Changed(ctx context.Context, p *stored.Profile, diff []unidiff.File,
	text func(name string) (lines [][]byte, ok bool, err error)) (Set, error) {
	set := Set{}
	if !p.Has(covdb.Family.Name) {
		return set, nil
	}
	c, err := covdb.Counted(ctx, p)
	if err != nil {
		return nil, err
	}
	changed, err := c.Changed(ctx, diff, text)
	if err != nil {
		return nil, err
	}
	lines := changed.Sum.Metric()
	part(set, (&Measure{Family: covdb.Family.Name, Name: ChangedLines}).Key(), lines.Covered, lines.Total)
	set.without(changed.Sum.Without())
	return set, nil
}
