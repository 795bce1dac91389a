package instrdb

import (
	"context"
	"slices"

	"proflens/profile/btree"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// among finds rows of a table of function records, of which there are n: record is that of
// one, from 1, value a column, and read makes the row, whose record is given. what tells the
// list, and the tests, from others.
func among[R any](p *Profile, what string, set table.Set, n int, record func(i uint32) int,
	value func(query.Column) (query.Value, error),
	read func(i uint32, record *btree.Row) (R, error), tests ...query.Test,
) table.Find {
	return func(ctx context.Context, q table.Query) (table.Page, error) {
		ids, scanned, err := p.pick(ctx, what, n, &q.RowQuery, func(i uint32) uint32 { return uint32(record(i) - 1) }, value,
			tests...)
		page := table.Page{Set: set, All: n, Matching: len(ids)}
		if scanned < p.rows {
			page.Searched = &table.Progress{Done: scanned, Of: p.rows}
		}
		from, to := query.Clamp(q.Offset, q.Limit, len(ids))
		rows := make([]R, to-from)
		page.Rows = rows
		if err != nil {
			return page, err
		}
		ids = ids[from:to]
		return page, stored.Pick(ctx, p.function, len(ids), func(at int) int { return record(ids[at]) },
			func(at int, function *btree.Row) (err error) {
				rows[at], err = read(ids[at], function)
				return err
			})
	}
}

// nameOf is the function of a record.
func nameOf(row *btree.Row) table.Name {
	return table.Name{Ref: row.Uint(fnNameRef), PGO: string(row.Bytes(fnName))}
}

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
