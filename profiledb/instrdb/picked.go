package instrdb

import (
	"context"
	"slices"

	"proflens/profiledb/query"
)

// pick is the rows of a list of n that pass, sorted, and how many function records
// a search of names has looked at. function gives the record of a row, from 0;
// value is a column of rows. what tells the list, and the tests, from others.
func (p *Profile) pick(ctx context.Context, what string, n int, q *query.RowQuery, function func(i uint32) uint32,
	value func(query.Column) (query.Value, error), tests ...query.Test) (ids []uint32, scanned int, err error) {
	var search func() (*query.Found, error)
	if names := (query.Names{Text: q.Text, Regexp: q.Regexp}); names.Any() {
		search = func() (*query.Found, error) { return names.Match(ctx, p.Profile, p.function, p.rows, fnName, nil) }
	}
	value = p.withNames(ctx, function, value)
	key := what + " " + q.Key()
	rows := func(named query.Bitset) ([]uint32, int64, error) {
		tests := slices.Clone(tests)
		if named != nil {
			tests = append(tests, func(i uint32) bool { return named.Has(function(i)) })
		}
		for _, r := range q.Ranges {
			v, err := value(r.Column)
			if err != nil {
				return nil, 0, err
			}
			tests = append(tests, v.In(r.Min, r.Max))
		}
		ids := query.Select(n, nil, tests)
		return ids, int64(len(ids)) * 4, query.Sort(ctx, ids, q.Sort, value)
	}
	for {
		ids, scanned, err = query.Resumed(ctx, p.Profile, key, p.rows, search, rows)
		if err != nil || scanned == p.rows || !q.Whole {
			return ids, scanned, err
		}
	}
}

// withNames adds the column of the functions' names.
func (p *Profile) withNames(ctx context.Context, function func(i uint32) uint32,
	value func(query.Column) (query.Value, error)) func(query.Column) (query.Value, error) {
	return func(c query.Column) (query.Value, error) {
		if c != ColName {
			return value(c)
		}
		columns, err := p.columns(ctx, nameColumn)
		if err != nil {
			return query.Value{}, err
		}
		return query.Value{At: func(i uint32) uint64 { return columns[nameColumn].at(function(i)) }}, nil
	}
}
