package instrweb

import (
	"fmt"
	"slices"
	"strings"

	"proflens/handlers/site"
	"proflens/profiledb/instrdb"
	"proflens/profiledb/query"
	"proflens/views/page"
)

// tableColumn is one column of the function table: its key in cols=, which is
// the API's name of it where the API has it, its head, and how it sorts.
type tableColumn struct {
	key, label, title string
	number            bool
	sort              query.Column // empty when the table cannot be sorted by it
	ascending         bool         // what the first click gives
	optional          bool         // not among the default columns
	how               page.How
}

// tableColumns are all columns in the order of the table.
var tableColumns = []tableColumn{
	{key: "rank", label: "#", title: "rank by total, hottest first", number: true, sort: instrdb.ColRank, ascending: true},
	{key: site.NameColumn, label: "Function", title: "name", sort: instrdb.ColName, ascending: true, how: page.HowNames},
	{key: "class", label: "Class", title: "how the compiler treats it, by its maximum counter", how: page.HowClass},
	{key: "total", label: "Total", title: "sum of all its counters", number: true, sort: instrdb.ColTotal, how: page.HowTotal},
	{key: "share", label: "Share", title: "of the total of the whole profile", how: page.HowShare},
	{key: "cum", label: "Sum", title: "shares added up in the shown order", number: true, how: page.HowCum},
	{key: "entry", label: "Entry", title: "entry count", number: true, sort: instrdb.ColEntry, how: page.HowEntry},
	{key: "max", label: "Maximum", title: "largest counter", number: true, sort: instrdb.ColMax, how: page.HowMax},
	{key: "counters", label: "Counters", title: "number of counters", number: true, sort: instrdb.ColCounters},
	{key: "zero", label: "Zero", title: "number of counters that are 0", number: true, sort: instrdb.ColZero},
	{key: "shape", label: "Shape", title: "the counters in order, log scale", how: page.HowShape},
	{key: "value_sites", label: "Value sites", title: "number of value sites of every kind", number: true, sort: instrdb.ColSites, optional: true, how: page.HowSites},
	{key: "func_hash", label: "Hash", title: "FuncHash, the hash of the control-flow graph", sort: instrdb.ColHash, ascending: true, optional: true},
	{key: "context_sensitive", label: "Records", title: "plain, or context-sensitive: counted again after inlining", optional: true},
	{key: "path", label: "File path", title: "the source file in the name of a local function", optional: true},
	{key: "ordinal", label: "Ordinal", title: "place in the file, from 0", number: true, sort: instrdb.ColOrdinal, ascending: true, optional: true},
}

func columnKeys() string {
	keys := make([]string, len(tableColumns))
	for i, c := range tableColumns {
		keys[i] = c.key
	}
	return strings.Join(keys, ", ")
}

// csvAddress is the same rows as CSV. A sparkline is no column of a file.
func csvAddress(a site.Address) string {
	a = a.Without("page", "cursor", "limit", "sel").With("format", "csv")
	cols := slices.DeleteFunc(strings.Split(a.Query.Get("cols"), ","), func(key string) bool { return key == "shape" })
	return a.With("cols", strings.Join(cols, ",")).String()
}

// shownColumns are the columns that cols= asks for, or the default ones. The
// function itself is always among them.
func shownColumns(cols []string) ([]tableColumn, error) {
	for _, key := range cols {
		if !slices.ContainsFunc(tableColumns, func(c tableColumn) bool { return c.key == key }) {
			return nil, &site.ParamError{Param: "cols", Msg: fmt.Sprintf("there is no column %q; the columns are %s", key, columnKeys())}
		}
	}
	return slices.DeleteFunc(slices.Clone(tableColumns), func(c tableColumn) bool {
		if len(cols) == 0 {
			return c.optional
		}
		return c.key != site.NameColumn && !slices.Contains(cols, c.key)
	}), nil
}

// heads are the column heads, each with the link that sorts by it.
func heads(columns []tableColumn, sort []query.Key, a site.Address) []page.Head {
	current := query.Key{Column: instrdb.ColTotal, Desc: true}
	if len(sort) > 0 {
		current = sort[0]
	}
	list := make([]page.Head, 0, len(columns))
	for _, c := range columns {
		h := page.Head{Column: c.key, Label: c.label, Title: c.title, Number: c.number, How: c.how}
		if c.sort != "" {
			desc := !c.ascending
			if current.Column == c.sort {
				h.Sort = "ascending"
				if current.Desc {
					h.Sort = "descending"
				}
				desc = !current.Desc
			}
			h.URL = sortedBy(a, c.sort, desc).String()
		}
		list = append(list, h)
	}
	return list
}

// sortedBy is the same table in another order, from its first page.
func sortedBy(a site.Address, by query.Column, desc bool) site.Address {
	key := string(by)
	if desc {
		key = "-" + key
	}
	if key == "-total" || key == "rank" { // the default order
		key = ""
	}
	return a.Without("page", "cursor").With("sort", key)
}

// columnMenu is the form that chooses columns.
func columnMenu(shown []tableColumn, a site.Address) page.ColumnMenu {
	m := page.ColumnMenu{Default: a.Without("cols").String(), Keep: site.Keep(a.Without("cols"))}
	for _, c := range tableColumns {
		if c.key == site.NameColumn {
			continue
		}
		label := c.label
		if c.key == "rank" {
			label = "Rank"
		}
		m.Columns = append(m.Columns, page.Check{
			Name: "cols", Value: c.key, Label: label,
			Checked: slices.ContainsFunc(shown, func(s tableColumn) bool { return s.key == c.key }),
		})
	}
	return m
}
