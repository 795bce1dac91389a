package site

import (
	"fmt"
	"slices"

	"proflens/profile/query"
	"proflens/views/page"
)

// Column is a column of a table whose columns are chosen with cols= and that is
// sorted with sort=. Tables embed it in columns of their own.
type Column struct {
	Key          query.Column // in cols=: the API's name of it, where the API has it
	Label, Title string       // of its head
	Chosen       string       // in the form that chooses columns, where that is not the label
	Number       bool
	Sort         query.Column // empty when the table cannot be sorted by it
	Ascending    bool         // what the first click gives
	How          page.How
}

func (c Column) column() Column { return c }

// Head is that of a table that is not sorted by it.
func (c Column) Head() page.Head {
	return page.Head{Column: string(c.Key), Label: c.Label, Title: c.Title, Number: c.Number}
}

type columned interface{ column() Column }

// ShownColumns are the columns that cols= asks for, or the usual ones, in the order
// of the table. The column called always is among them. The error is a
// *[ParamError].
func ShownColumns[C columned](all []C, always query.Column, cols []string, usual func(C) bool) ([]C, error) {
	known := make([]query.Column, len(all))
	for i, c := range all {
		known[i] = c.column().Key
	}
	for _, key := range cols {
		if !slices.Contains(known, query.Column(key)) {
			return nil, &ParamError{
				Param: "cols", Msg: fmt.Sprintf("there is no column %q; the columns are %s", key, JoinWords(known)),
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(c C) bool {
		if len(cols) == 0 {
			return !usual(c)
		}
		key := c.column().Key
		return key != always && !slices.Contains(cols, string(key))
	}), nil
}

// ColumnChoice is the form that chooses columns, all but the one called always.
func ColumnChoice[C columned](all, shown []C, always query.Column, a Address) page.ColumnMenu {
	m := page.ColumnMenu{Default: a.Without("cols").String(), Keep: Keep(a.Without("cols"))}
	for _, one := range all {
		c := one.column()
		if c.Key == always {
			continue
		}
		label := c.Label
		if c.Chosen != "" {
			label = c.Chosen
		}
		m.Columns = append(m.Columns, page.Check{
			Name: "cols", Value: string(c.Key), Label: label,
			Checked: slices.ContainsFunc(shown, func(s C) bool { return s.column().Key == c.Key }),
		})
	}
	return m
}

// Order is how a table is sorted, and where its links to other orders lead.
type Order struct {
	By   query.Column
	Desc bool
	// Usual are the words of the order that a table has without sort=, which
	// addresses leave out.
	Usual   []string
	Address Address
}

// OrderOf is the order by the first of some keys, or the usual one.
func OrderOf(keys []query.Key, usual query.Key, a Address, words ...string) Order {
	if len(keys) > 0 {
		usual = keys[0]
	}
	return Order{By: usual.Column, Desc: usual.Desc, Usual: words, Address: a}
}

// Link is how a column stands in the order, empty where it decides nothing, and the
// table sorted by it: the other way round where it decides already.
func (o *Order) Link(by query.Column, ascending bool) (sorted, url string) {
	desc := !ascending
	if o.By == by {
		sorted, desc = "ascending", !o.Desc
		if o.Desc {
			sorted = "descending"
		}
	}
	word := string(by)
	if desc {
		word = "-" + word
	}
	if slices.Contains(o.Usual, word) {
		word = ""
	}
	return sorted, o.Address.FirstPage().With("sort", word).String()
}

// ColumnHeads are the heads of columns, each with the link that sorts by it.
func ColumnHeads[C columned](columns []C, o Order) []page.Head {
	list := make([]page.Head, len(columns))
	for i, one := range columns {
		c := one.column()
		list[i] = c.Head()
		if list[i].How = c.How; c.Sort != "" {
			list[i].Sort, list[i].URL = o.Link(c.Sort, c.Ascending)
		}
	}
	return list
}
