package query

import (
	"context"
	"slices"

	"proflens/names"
	"proflens/profile/budget"
)

// RowQuery selects, orders and pages the rows of a list.
type RowQuery struct {
	Text, Regexp string // over the names of a row
	Ranges       []Range
	Sort         []Key // empty is the list's own order, which ties keep too
	Offset       int
	Limit        int
	Whole        bool // names are searched to the end, however long that takes
}

// Plain reports whether the query leaves a list as it is.
func (q *RowQuery) Plain() bool {
	return q.Text+q.Regexp == "" && len(q.Ranges)+len(q.Sort) == 0
}

// Key tells what is selected and its order from what other queries do.
func (q *RowQuery) Key() string { return CacheKey(q.Text, q.Regexp, q.Ranges, q.Sort) }

// Rows is a list that is short enough to be looked at whole.
type Rows struct {
	Len int
	// Names shows every name of a row in which words are sought.
	Names func(i uint32, show func(name []byte))
	// Value is a column; the error is a *[ColumnError].
	Value func(Column) (Value, error)
	Tests []Test // that rows pass besides
}

// Pick is the rows that pass, in order. Errors are a *[ColumnError], that of
// names.NewMatcher for a pattern, or the context's.
func (q *RowQuery) Pick(ctx context.Context, rows Rows) ([]uint32, error) {
	if !q.Whole {
		defer budget.Build(ctx)()
	}
	tests := slices.Clone(rows.Tests)
	for _, r := range q.Ranges {
		v, err := rows.Value(r.Column)
		if err != nil {
			return nil, err
		}
		tests = append(tests, v.In(r.Min, r.Max))
	}
	terms, err := names.NewTerms(q.Text, q.Regexp)
	if err != nil {
		return nil, err
	}
	if all := terms.All(); all != 0 {
		known := map[string]uint64{} // names come again
		tests = append(tests, func(i uint32) bool {
			if ctx.Err() != nil {
				return false
			}
			found := uint64(0)
			rows.Names(i, func(name []byte) {
				has, ok := known[string(name)]
				if !ok {
					has = terms.In(name)
					known[string(name)] = has
				}
				found |= has
			})
			return found == all
		})
	}
	ids := Select(rows.Len, nil, tests)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return ids, Sort(ctx, ids, q.Sort, rows.Value)
}
