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

// remains is what is left of a profile.
type remains struct {
	sums      []Sums       // by file
	functions query.Bitset // one by one
}

// Without is the profile with its files, their numbers and lines, its functions and decisions, as
// they are without some of it. key is another for all else that is left out. Errors are the
// context's, or about the profile.
func (p *Profile) Without(ctx context.Context, key string, w coverage.Without) (*Profile, error) {
	of, err := stored.Cached(ctx, p.Profile, "coverage without "+key, func() (*remains, int64, error) {
		if err := budget.Take(ctx, int64(p.Overview.Instances)*functionBytes); err != nil {
			return nil, 0, err
		}
		c, err := p.coverage(ctx, query.All(p.Overview.Instances))
		if err != nil {
			return nil, 0, err
		}
		c, kept := c.Without(w)
		of, t := &remains{functions: query.NewBitset(p.Overview.Instances)}, &tables{}
		for _, i := range kept {
			of.functions.Set(i)
		}
		t.summaries, t.unions = c.Totals()
		t.sum(c)
		of.sums = t.sums
		return of, int64(len(t.sums))*treeBytes + int64(len(of.functions))*8, nil
	})
	if err != nil {
		return nil, err
	}
	left, o := *p, *p.Overview
	left.files, left.without, left.left, left.Overview, o.Totals = make([]File, len(p.files)), key, w, &o, Sums{}
	left.functions = of.functions
	for i := range left.files {
		left.files[i] = p.files[i]
		left.files[i].Sums = of.sums[i]
		o.Totals.Add(&of.sums[i])
	}
	return &left, nil
}
