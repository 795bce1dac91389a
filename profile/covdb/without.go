package covdb

import (
	"context"

	"proflens/analyze/coverage"
	"proflens/profile/budget"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// functionBytes is about what a function takes with its regions.
const functionBytes = 4 << 10

// Without is the profile with its files, their numbers and lines, as they are without some of it;
// the lists of functions and decisions have all. key is another for all else that is left out. Errors are the
// context's, or about the profile.
func (p *Profile) Without(ctx context.Context, key string, w coverage.Without) (*Profile, error) {
	sums, err := stored.Cached(ctx, p.Profile, "coverage without "+key, func() ([]Sums, int64, error) {
		if err := budget.Take(ctx, int64(p.Overview.Instances)*functionBytes); err != nil {
			return nil, 0, err
		}
		c, err := p.coverage(ctx, query.All(p.Overview.Instances))
		if err != nil {
			return nil, 0, err
		}
		c = c.Without(w)
		t := &tables{}
		t.summaries, t.unions = c.Totals()
		t.sum(c)
		return t.sums, int64(len(t.sums)) * treeBytes, nil
	})
	if err != nil {
		return nil, err
	}
	left, o := *p, *p.Overview
	left.files, left.without, left.left, left.Overview, o.Totals = make([]File, len(p.files)), key, w, &o, Sums{}
	for i := range left.files {
		left.files[i] = p.files[i]
		left.files[i].Sums = sums[i]
		o.Totals.Add(&sums[i])
	}
	return &left, nil
}
