package table

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"proflens/profile/query"
)

// Set is rows of a table.
type Set struct {
	// Rows is a slice of the declared rows, or of pointers to them, in the order that ties keep. Others see them
	// too: they are not changed. Those of a Page that is written at once can be [OneByOne].
	Rows any
	// Sorted is set where they stand in the usual order.
	Sorted bool
	// Tests are what rows pass besides; All counts those too that do not.
	Tests []query.Test
	// Names shows what words are sought in, where that is not in the rows; nil where it is.
	Names func(i uint32, show func([]byte))
	// Matched makes Around from the rows that match; nil where it is there.
	Matched func(ids []uint32) any
	// Around are more members of the envelope of JSON: a pointer to a struct, whose fields
	// have the tags of columns; nil for none. Members stand behind them as they are, each after
	// a comma.
	Around  any
	Members []byte
	// Below is a pointer to the row that those of a tree are below, and By what the tree is by;
	// nil of what is no tree.
	Below any
	By    query.TreeBy
	// Whole is what the share of a column is of, by name.
	Whole map[string]float64
}

// Query selects, orders and pages rows.
type Query struct {
	query.RowQuery
	Facets []string // rows that have all of these alone or, with a ! in front, have them not
}

// Page is some rows of a table.
type Page struct {
	Set
	IDs           []uint32 // the page's rows in order, by where they stand among Rows; nil for all of these
	All, Matching int
	Facets        []int // how many of All each facet has
	// Searched is set where names are still being searched: to where that has come.
	Searched *Progress
}

// Progress is how far a search has come. While the profile is still being stored, there is
// no more to search yet.
type Progress struct {
	Done, Of int
	Storing  bool
}

// Len is how many rows the page has.
func (p *Page) Len() int {
	if p.IDs != nil {
		return len(p.IDs)
	}
	if rows, ok := p.Rows.(OneByOne); ok {
		return rows.Len()
	}
	return reflect.ValueOf(p.Rows).Len()
}

// Row is one of them, which can be addressed.
func (p *Page) Row(i int) reflect.Value {
	if p.IDs != nil {
		i = int(p.IDs[i])
	}
	return rowAt(reflect.ValueOf(p.Rows), i)
}

// OneByOne is rows that are made as they are written, in their order, each in the place of the
// one before: memory for many costs more than what stands in it.
type OneByOne interface {
	Len() int
	Row(i int) any // a pointer to it
}

// RowsOf are the rows of a page.
func RowsOf[R any](p *Page) []*R {
	rows := make([]*R, p.Len())
	for i := range rows {
		rows[i] = p.Row(i).Addr().Interface().(*R)
	}
	return rows
}

// rowAt is a row of a slice of rows, or of pointers to them.
func rowAt(all reflect.Value, i int) reflect.Value { return reflect.Indirect(all.Index(i)) }

// Find gives the page of rows that a query asks for.
type Find func(ctx context.Context, q Query) (Page, error)

// Within finds among rows that are all there. Errors of what it returns are those of
// query.RowQuery.
func (d *Declaration) Within(set Set) Find {
	var page Page
	var ids []uint32
	picked := ""
	return func(ctx context.Context, q Query) (Page, error) {
		if key := q.Key() + strings.Join(q.Facets, " "); key != picked || ids == nil {
			var err error
			if page, ids, err = d.pick(ctx, set, q); err != nil {
				return Page{}, err
			}
			picked = key
		}
		from, to := query.Clamp(q.Offset, q.Limit, len(ids))
		page.IDs = ids[from:to]
		return page, nil
	}
}

func (d *Declaration) pick(ctx context.Context, set Set, q Query) (Page, []uint32, error) {
	all := reflect.ValueOf(set.Rows)
	page := Page{Set: set, All: all.Len()}
	rows := query.Rows{Len: all.Len(), Names: set.Names, Tests: slices.Clone(set.Tests), Value: d.Values(set.Rows)}
	if rows.Names == nil {
		rows.Names = d.names(all)
	}
	for i := range d.facets {
		has := query.NewBitset(rows.Len)
		for row := range rows.Len {
			if !follow(rowAt(all, row), d.facets[i].path).IsZero() {
				has.Set(uint32(row))
			}
		}
		page.Facets = append(page.Facets, has.Count())
		for _, want := range q.Facets {
			if name, not := strings.CutPrefix(want, "!"); name == d.facets[i].Name {
				rows.Tests = append(rows.Tests, has.Wants(!not))
			}
		}
	}
	if len(q.Sort) == 0 && d.Usual != "" && !set.Sorted {
		q.Sort = []query.Key{d.Key()}
	}
	ids, err := q.Pick(ctx, rows)
	page.Matching = len(ids)
	if set.Matched != nil {
		page.Around = set.Matched(ids)
	}
	return page, ids, err
}

// Sought is a field in which words are sought: it shows the names that it has.
type Sought interface{ Words(show func([]byte)) }

// names shows what words are sought in.
func (d *Declaration) names(all reflect.Value) func(i uint32, show func([]byte)) {
	var fields []*Field
	for _, f := range d.Fields() {
		if f.Words {
			fields = append(fields, f)
		}
	}
	return func(i uint32, show func([]byte)) {
		for _, f := range fields {
			row := rowAt(all, int(i))
			if v, ok := f.Value(row).(Sought); ok {
				v.Words(show)
			} else if text := f.Text(row); text != "" {
				show([]byte(text))
			}
		}
	}
}
