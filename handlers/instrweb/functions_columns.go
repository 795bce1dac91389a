package instrweb

import (
	"slices"
	"strings"

	"proflens/handlers/site"
	"proflens/profile/instrdb"
	"proflens/profile/query"
	"proflens/views/page"
)

// tableColumn is one column of the function table.
type tableColumn struct {
	site.Column
	optional bool // not among the default columns
}

// tableColumns are all columns in the order of the table.
var tableColumns = []tableColumn{
	{
		Column: site.Column{
			Key: "rank", Chosen: "Rank", Label: "#", Title: "rank by total, hottest first", Number: true, Sort: instrdb.ColRank,
			Ascending: true,
		},
	},
	{
		Column: site.Column{
			Key: site.NameColumn, Label: "Function", Title: "name", Sort: instrdb.ColName, Ascending: true, How: page.HowNames,
		},
	},
	{
		Column: site.Column{
			Key: "class", Label: "Class", Title: "how the compiler treats it, going by its maximum counter", How: page.HowClass,
		},
	},
	{
		Column: site.Column{
			Key: "total", Label: "Total", Title: "sum of all its counters", Number: true, Sort: instrdb.ColTotal,
			How: page.HowTotal,
		},
	},
	{Column: site.Column{Key: "share", Label: "Share", Title: "of the total of the whole profile", How: page.HowShare}},
	{
		Column: site.Column{
			Key: "cum", Label: "Sum", Title: "running total of the shares, in this order", Number: true, How: page.HowCum,
		},
	},
	{
		Column: site.Column{
			Key: "entry", Label: "Entry", Title: "entry count", Number: true, Sort: instrdb.ColEntry, How: page.HowEntry,
		},
	},
	{
		Column: site.Column{
			Key: "max", Label: "Maximum", Title: "largest counter", Number: true, Sort: instrdb.ColMax, How: page.HowMax,
		},
	},
	{
		Column: site.Column{
			Key: "counters", Label: "Counters", Title: "number of counters", Number: true, Sort: instrdb.ColCounters,
		},
	},
	{
		Column: site.Column{
			Key: "zero", Label: "Zero", Title: "number of counters that are 0", Number: true, Sort: instrdb.ColZero,
		},
	},
	{Column: site.Column{Key: "shape", Label: "Shape", Title: "the counters in order, log scale", How: page.HowShape}},
	{
		Column: site.Column{Key: "value_sites", Label: "Value sites", Title: "number of value sites of every kind",
			Number: true, Sort: instrdb.ColSites, How: page.HowSites}, optional: true,
	},
	{
		Column: site.Column{Key: "func_hash", Label: "Hash", Title: "FuncHash, the hash of the control-flow graph",
			Sort: instrdb.ColHash, Ascending: true}, optional: true,
	},
	{
		Column: site.Column{Key: "context_sensitive", Label: "Records",
			Title: "plain or context-sensitive (counted again after inlining)"}, optional: true,
	},
	{
		Column: site.Column{
			Key: placeColumn, Label: "Source", Title: "the file and line that it is declared on", Sort: instrdb.ColFile,
			Ascending: true,
		},
	},
	{
		Column: site.Column{Key: "path", Label: "File path",
			Title: "the source file, recorded in the names of static functions"}, optional: true,
	},
	{
		Column: site.Column{Key: "ordinal", Label: "Ordinal", Title: "position in the file, from 0", Number: true,
			Sort: instrdb.ColOrdinal, Ascending: true}, optional: true,
	},
}

// placeColumn is there unasked where a program says where functions are.
const placeColumn = "file"

// csvAddress is the same rows as CSV. A sparkline is no column of a file.
func csvAddress(a site.Address) string {
	a = a.Without("page", "cursor", "limit", "sel").With("format", "csv")
	cols := slices.DeleteFunc(strings.Split(a.Query.Get("cols"), ","), func(key string) bool { return key == "shape" })
	return a.With("cols", strings.Join(cols, ",")).String()
}

// shownColumns are the columns that cols= asks for, or the default ones.
func shownColumns(cols []string) ([]tableColumn, error) {
	return site.ShownColumns(tableColumns, site.NameColumn, cols, func(c tableColumn) bool { return !c.optional })
}

// orderOf is how the table is sorted: by the total where nothing else is asked for.
func orderOf(keys []query.Key, a site.Address) site.Order {
	return site.OrderOf(keys, query.Key{Column: instrdb.ColTotal, Desc: true}, a, "-total", "rank")
}
