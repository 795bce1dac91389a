package dcpidb

import (
	"context"

	"proflens/names"
	"proflens/profiledb/query"
)

// TotalQuery selects and orders totals.
type TotalQuery struct {
	Selection
	Of           TotalOf
	Text, Regexp string // over the name
	// by ColSamples, ColName, ColProfiles or columns, and by the words of TotalSorts; empty is as Totals has them
	Sort []query.Key
}

// What totals can be sorted by besides their columns.
const (
	ColProfiles query.Column = "profiles"
	ColImages   query.Column = "images"
	ColSize     query.Column = "size"
	ColSymbols  query.Column = "symbols"
)

// TotalSorts are the words that totals of images, and of epochs and hosts, can be
// sorted by.
func TotalSorts(of TotalOf) []query.Column {
	if of == OfImage {
		return []query.Column{ColName, ColProfiles, ColAddress, ColSize, ColSymbols}
	}
	return []query.Column{ColName, ColProfiles, ColImages}
}

// FindTotals are those of [Profile.Totals] whose names match, in an order.
//
// Errors are a *query.ColumnError, that of names.NewMatcher for a pattern, or the
// context's.
func (p *Profile) FindTotals(ctx context.Context, q TotalQuery) ([]Total, []Column, error) {
	all, columns := p.Totals(q.Selection, q.Of)
	matcher, err := names.NewMatcher(q.Text, q.Regexp)
	if err != nil {
		return nil, nil, err
	}
	totals := all[:0]
	for i := range all {
		if matcher.Match([]byte(all[i].Name)) {
			totals = append(totals, all[i])
		}
	}
	plan := &plan{columns: columns}
	totals, err = sorted(ctx, totals, q.Sort, func(by query.Column) (query.Value, error) {
		column, err := plan.sortBy(by, TotalSorts(q.Of)...)
		number := func(of func(t *Total) uint64) (query.Value, error) {
			return query.Value{At: func(i uint32) uint64 { return of(&totals[i]) }}, nil
		}
		image := func(t *Total) *Image { return &p.Overview.Images[t.Image] }
		switch {
		case err != nil || len(totals) == 0:
			return query.Value{}, err
		case column >= 0:
			unit := columns[column].Unit
			return query.Real(func(i uint32) float64 { return totals[i].Cells[column].Value(unit) }), nil
		case by == ColProfiles:
			return number(func(t *Total) uint64 { return uint64(t.Profiles) })
		case by == ColImages:
			return number(func(t *Total) uint64 { return uint64(t.Images) })
		case by == ColAddress:
			return number(func(t *Total) uint64 { return image(t).TextStart })
		case by == ColSize:
			return number(func(t *Total) uint64 { return image(t).TextSize })
		case by == ColSymbols:
			return number(func(t *Total) uint64 { return uint64(image(t).Symbols) })
		}
		return query.Words(len(totals), func(i uint32) string { return totals[i].Name }), nil
	})
	return totals, columns, err
}
