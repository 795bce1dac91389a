package moves

import (
	"context"
	"slices"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/query"
	"proflens/profile/table"
	"proflens/views/page"
)

// listMoves is how many rows a list has.
const listMoves = 4

// ListOf is a list of moves of one state beside the chart.
type ListOf[P table.Pair] struct {
	ID, Title string
	State     table.State // one bit
	// Test is set where it is of what the test profile has; else it is of the base.
	Test bool
	// Sort is its order: where it is empty, the rows that the profile has most of come first.
	Sort query.Key
	// Says sums it up: nil says how many rows there are, and what the profile has of them.
	Says func(h table.Held) string
	// Figure is that of a row: nil is the larger of what both profiles have.
	Figure func(m P) string
}

// list adds a list to a page, unless no row is in its state.
func (v *View[P]) list(ctx context.Context, m *page.Compare, l *ListOf[P]) error {
	held := v.Source.Held(l.State)
	if held.Rows == 0 {
		return nil
	}
	sort := l.Sort
	if sort.Column == "" {
		sort = query.Key{Column: table.MoveBase, Desc: true}
		if l.Test {
			sort.Column = table.MoveTest
		}
	}
	rows, _, err := v.rows(ctx, table.MoveQuery{Min: table.AllMoves, States: l.State}, listMoves, sort)
	if err != nil {
		return err
	}
	list := page.MoveList{ID: l.ID, Title: l.Title}
	if l.Says != nil {
		list.Says = l.Says(held)
	} else {
		list.Says = humanize.Plural(held.Rows, v.Of.Noun, v.Of.Nouns) + ", " + v.has(held, l.Test)
	}
	if held.Rows > len(rows) {
		a := v.Plain().With("state", v.Of.States[l.State.Bit()].Word)
		if word := string(sort.Column); sort.Column != table.MoveAbsChange {
			if sort.Desc {
				word = "-" + word
			}
			a = a.With("sort", word)
		}
		list.URL, list.Count = v.keepMeasure(a).String(), humanize.Int(held.Rows)
	}
	for _, row := range rows {
		r := page.MoveListRow{}
		if r.Name, r.URL = v.Name(row); l.Figure != nil {
			r.Figure = l.Figure(row)
		} else {
			r.Figure = v.Unit.Value(max(row.Measured().InBase, row.Measured().InTest))
		}
		list.Rows = append(list.Rows, r)
	}
	humanize.Apart(list.Rows, func(r *page.MoveListRow) *humanize.Name { return &r.Name })
	m.Lists = append(m.Lists, list)
	return nil
}

// has is what a profile has of some rows; of shares, it says of which profile they are.
func (v *View[P]) has(h table.Held, test bool) string {
	value, side := h.Base, "A"
	if test {
		value, side = h.Test, "B"
	}
	if v.Unit.Name == "points" {
		return humanize.Percent(value, 2) + " of " + side
	}
	return v.Unit.Value(value)
}

// keepMeasure adds to a plain address what is compared, which is no filter.
func (v *View[P]) keepMeasure(a site.Address) site.Address {
	for _, key := range v.Family.Comparer.Keys {
		if value := v.Address.Query.Get(key); value != "" && !slices.Contains(v.filters(), key) {
			a = a.With(key, value)
		}
	}
	return a
}
