package instrdb

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/profile/query"
)

// Filtered reports whether the query selects functions, rather than having all.
func (q *Query) Filtered() bool { return q.hasNumbers() || q.hasNames() }

// hasNumbers reports whether a query filters by anything but names.
func (q *Query) hasNumbers() bool {
	return len(q.Classes) > 0 || q.Executed != nil || q.CS != nil || len(q.Quality) > 0 || len(q.Ranges) > 0
}

// hasNames reports whether a query filters by names.
func (q *Query) hasNames() bool { return q.Names.Any() || q.Scope != "" || q.Named != "" }

// filterKey tells filters apart in the cache.
func (q *Query) filterKey() string {
	var b strings.Builder
	b.WriteString(query.CacheKey(q.Names, q.Scope, q.Named))
	if q.Named != "" {
		fmt.Fprintf(&b, " in %q", q.Mode)
	}
	for _, c := range classes {
		if slices.Contains(q.Classes, c) {
			fmt.Fprintf(&b, " class %q", c)
		}
	}
	b.WriteString(query.CacheKey(q.Executed, q.CS, q.Quality, q.Ranges))
	return b.String()
}

// search finds the rows that pass the filters by name, as far as it gets.
func (p *Profile) search(ctx context.Context, q *Query) (found *query.Found, err error) {
	words := query.Names{Text: q.Text, Regexp: q.Regexp}
	for _, filter := range []struct {
		given bool
		match func() (*query.Found, error)
	}{
		{q.Path != "", func() (*query.Found, error) { return p.matchPath(ctx, &q.Names) }},
		{words.Any(), func() (*query.Found, error) { return words.Match(ctx, p.Profile, p.function, p.rows, fnName, nil) }},
		{q.Scope != "", func() (*query.Found, error) { return p.matchScope(ctx, q.Scope) }},
		{q.Named != "", func() (*query.Found, error) { return p.matchShown(ctx, q.Named, q.Mode) }},
	} {
		if !filter.given {
			continue
		}
		also, err := filter.match()
		if err != nil {
			return nil, err
		}
		found = found.And(also)
	}
	return found, nil
}

// Prefetch reads and demangles what a search will want; see [query.DemangleAhead].
func (p *Profile) Prefetch(ctx context.Context) error {
	if _, err := p.totals(ctx); err != nil {
		return err
	}
	return query.DemangleAhead(ctx, p.Profile, p.function, p.rows, fnName)
}

// tests makes a test of each filter by anything but names.
func (p *Profile) tests(ctx context.Context, q *Query) ([]query.Test, error) {
	if !q.hasNumbers() {
		return nil, nil
	}
	columns, err := p.columns(ctx, traitsColumn)
	if err != nil {
		return nil, err
	}
	traits := columns[traitsColumn]
	var tests []query.Test
	if len(q.Classes) > 0 {
		var wanted [len(classes)]bool
		for i, c := range classes {
			wanted[i] = slices.Contains(q.Classes, c)
		}
		tests = append(tests, func(i uint32) bool { return wanted[traits.at(i)&traitClass] })
	}
	if q.Executed != nil {
		tests = append(tests, func(i uint32) bool { return traits.at(i)&traitExecuted != 0 == *q.Executed })
	}
	if q.CS != nil {
		tests = append(tests, func(i uint32) bool { return traits.at(i)&traitCS != 0 == *q.CS })
	}
	if len(q.Quality) > 0 {
		test, err := p.qualityTest(ctx, q.Quality, traits)
		if err != nil {
			return nil, err
		}
		tests = append(tests, test)
	}
	for _, r := range q.Ranges {
		test, err := p.inRange(ctx, r)
		if err != nil {
			return nil, err
		}
		tests = append(tests, test)
	}
	return tests, nil
}

// inRange tests one column. Ranks count from 1. A total above 2^64 lies in a
// range that has no upper end, which is what the largest uint64 says.
func (p *Profile) inRange(ctx context.Context, r query.Range) (query.Test, error) {
	need, err := columnsOf(r.Column)
	if err != nil || r.Column == ColName || r.Column == ColFile {
		return nil, &query.ColumnError{Column: r.Column}
	}
	columns, err := p.columns(ctx, need...)
	if err != nil {
		return nil, err
	}
	switch r.Column {
	case ColRank:
		return func(i uint32) bool { return uint64(i)+1 >= r.Min && uint64(i)+1 <= r.Max }, nil
	case ColTotal:
		low, high := columns[totalColumn], columns[totalHighColumn]
		return func(i uint32) bool {
			if high.at(i) != 0 {
				return r.Max == 1<<64-1
			}
			return low.at(i) >= r.Min && low.at(i) <= r.Max
		}, nil
	}
	value := query.Value{At: columns[need[0]].at}
	if r.Column == ColEntry {
		value.Known, err = p.entered(ctx)
	}
	return value.In(r.Min, r.Max), err
}

// entered tests whether a record has an entry count: counter 0 of others is none.
func (p *Profile) entered(ctx context.Context) (query.Test, error) {
	columns, err := p.columns(ctx, traitsColumn)
	if err != nil {
		return nil, err
	}
	has, traits := analyze.HasEntry(p.Overview.Info.Variant), columns[traitsColumn]
	return func(i uint32) bool { return has && analyze.Mark(traits.at(i)>>traitMarks)&analyze.Pseudo == 0 }, nil
}
