package dcpidb

import (
	"context"
	"slices"

	"proflens/profiledb/query"
)

// What tables of samples can be sorted by; and by their columns, whose names come
// after those words.
const (
	ColSamples query.Column = "samples" // the first of the columns
	ColName    query.Column = "name"    // not of addresses
	ColImage   query.Column = "image"
	ColAddress query.Column = "address"
)

// usual is the order of a table for which no other was asked.
var usual = []query.Key{{Column: ColSamples, Desc: true}}

// ties is the order of procedures that are alike in all keys.
var ties = []query.Key{{Column: ColName}, {Column: ColImage}, {Column: ColAddress}}

// sortBy is the number of the column that a table is sorted by: -1 for one of its
// own words. The error is a *query.ColumnError.
func (plan *plan) sortBy(by query.Column, words ...query.Column) (int, error) {
	known := slices.Concat([]query.Column{ColSamples}, words)
	for i := range plan.columns {
		known = append(known, query.Column(plan.columns[i].Name))
	}
	switch i := slices.Index(known, by); {
	case i < 0:
		return 0, &query.ColumnError{Column: by, Known: known}
	case i == 0:
		return 0, nil
	case i <= len(words):
		return -1, nil
	default:
		return i - 1 - len(words), nil
	}
}

// sorted is rows in the order of keys. Those that are alike stay as they stand.
func sorted[T any](ctx context.Context, rows []T, keys []query.Key,
	value func(query.Column) (query.Value, error)) ([]T, error) {
	ids := query.All(len(rows))
	if err := query.Sort(ctx, ids, keys, value); err != nil {
		return nil, err
	}
	list := make([]T, len(rows))
	for at, i := range ids {
		list[at] = rows[i]
	}
	return list, nil
}
