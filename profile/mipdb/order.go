package mipdb

import (
	"context"

	"proflens/analyze"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// ordered is the functions of a filter in an order, and their sums. It is
// immutable.
type ordered struct {
	ids    []uint32 // indices
	totals analyze.MIPTotals
}

// order returns the order that a query asks for, and how many functions a filter
// by name has looked at.
func (p *Profile) order(ctx context.Context, q *Query) (*ordered, int, error) {
	var search func() (*query.Found, error)
	if q.Names.Any() {
		search = func() (*query.Found, error) {
			var other func([]byte) []byte
			if p.Overview.Underscore { // with it a name is as the linker knows it, without as it demangles
				other = p.linkage
			}
			return q.Match(ctx, p.Profile, p.functions, p.n, colName, other)
		}
	}
	return query.Resumed(ctx, p.Profile,
		"mip order "+query.CacheKey(q.Names, q.Scope, q.Executed, q.Saturated, q.Run, q.OnlyRun, q.MinRuns, q.Odd, q.Ranges,
			q.Sort), p.n, search,
		func(named query.Bitset) (*ordered, int64, error) {
			o, err := p.newOrder(ctx, q, named)
			if err != nil {
				return nil, 0, err
			}
			return o, int64(len(o.ids)) * 4, nil
		})
}

// newOrder finds the functions that match, named among them unless it is nil,
// sorts them and adds them up.
func (p *Profile) newOrder(ctx context.Context, q *Query, named query.Bitset) (*ordered, error) {
	c, err := p.columns(ctx)
	if err != nil {
		return nil, err
	}
	tests, err := p.tests(ctx, q, c)
	if err != nil {
		return nil, err
	}
	o := &ordered{ids: query.Select(p.n, named, tests)}
	for _, i := range o.ids {
		one := c.totals(i, p.Overview.HasCalls())
		o.totals.Add(&one)
	}
	keys := q.Sort
	if len(keys) == 0 {
		keys = []query.Key{{Column: ColSize, Desc: true}}
	}
	return o, query.Sort(ctx, o.ids, keys, func(column query.Column) (query.Value, error) {
		return p.value(ctx, c, column)
	})
}

// tests makes a test of each filter but those by the bytes of names.
func (p *Profile) tests(ctx context.Context, q *Query, c *columns) ([]query.Test, error) {
	var tests []query.Test
	if q.Executed != nil {
		tests = append(tests, c.executed.Wants(*q.Executed))
	}
	if q.Saturated != nil {
		tests = append(tests, c.saturated.Wants(*q.Saturated))
	}
	if q.Odd != 0 {
		tests = append(tests, func(i uint32) bool { return c.odd[i]&q.Odd != 0 })
	}
	if q.MinRuns > 0 {
		tests = append(tests, func(i uint32) bool { return c.merges[i] >= uint64(q.MinRuns) })
	}
	if q.Run != 0 || q.OnlyRun != 0 {
		sets, err := p.runSets(ctx)
		if err != nil {
			return nil, err
		}
		for _, run := range []int{q.Run, q.OnlyRun} {
			if run < 0 || run > len(sets.executed) {
				return nil, stored.ErrNoPart
			}
			if run > 0 {
				tests = append(tests, sets.executed[run-1].Has)
			}
		}
		if q.OnlyRun > 0 {
			tests = append(tests, sets.several.Wants(false))
		}
	}
	if q.Scope != "" {
		tree, err := p.Tree(ctx, query.ByNamespace)
		if err != nil {
			return nil, err
		}
		within := tree.Within(q.Scope)
		tests = append(tests, func(i uint32) bool { return within(c.scope[i]) })
	}
	for _, r := range q.Ranges {
		test, err := p.inRange(ctx, c, r)
		if err != nil {
			return nil, err
		}
		tests = append(tests, test)
	}
	return tests, nil
}
