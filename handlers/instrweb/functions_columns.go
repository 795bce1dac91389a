package instrweb

import (
	"slices"
	"strings"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/profile/instrdb"
	"proflens/profile/query"
)

// tableColumns are all columns in the order of the table.
func tableColumns() (list []site.Column) {
	for name := range strings.FieldsSeq("rank demangled class total share cum entry max counters zero shape value_sites " +
		"func_hash context_sensitive file path ordinal") {
		list = append(list, lists.HeadOf(instrdb.Functions.Field(name)))
	}
	list[0].Chosen = "Rank"
	return list
}

// placeColumn is there unasked where a program says where functions are.
const placeColumn = "file"

// csvAddress is the same rows as CSV. A sparkline is no column of a file.
func csvAddress(a site.Address) string {
	a = a.FirstPage("limit", "sel").With("format", "csv")
	cols := slices.DeleteFunc(strings.Split(a.Query.Get("cols"), ","), func(key string) bool { return key == "shape" })
	return a.With("cols", strings.Join(cols, ",")).String()
}

// shownColumns are the columns that cols= asks for, or the default ones.
func shownColumns(cols []string) ([]site.Column, error) {
	usual := strings.Fields(instrdb.Functions.Show)
	return site.ShownColumns(tableColumns(), site.NameColumn, cols, func(c site.Column) bool {
		return slices.Contains(usual, string(c.Key))
	})
}

// orderOf is how the table is sorted: by the total where nothing else is asked for.
func orderOf(keys []query.Key, a site.Address) site.Order {
	return site.OrderOf(keys, query.Key{Column: instrdb.ColTotal, Desc: true}, a, "-total", "rank")
}
