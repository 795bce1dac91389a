package mipweb

import (
	"slices"
	"strings"

	"proflens/decode/mip"
	"proflens/handlers/site"
	"proflens/profiledb/query"
	"proflens/views/page"
)

// tableColumn is a column of a table of functions of machine IR.
type tableColumn struct {
	site.Column
	of mip.ProfileType // profiles that measured this have it; 0 for all
}

// tableColumns are all columns in the order of the table.
var tableColumns = sortable([]tableColumn{
	{
		Column: site.Column{
			Key: "index", Chosen: "Link order", Label: "#", Title: "position in link order, from 0", Number: true,
			Ascending: true,
		},
	},
	{Column: site.Column{Key: site.NameColumn, Label: "Function", Title: "name", Ascending: true, How: page.HowNames}},
	{
		Column: site.Column{
			Key: "executed", Label: "Executed", Title: "whether some run executed it", How: page.HowMIPExecuted,
		},
	},
	{
		Column: site.Column{Key: "call_count", Label: "Calls", Title: "call counts of all runs added up", Number: true,
			How: page.HowMIPCalls}, of: mip.CallCount,
	},
	{
		Column: site.Column{Key: "weight", Label: "Calls × size", Title: "call count times bytes", Number: true},
		of:     mip.CallCount,
	},
	{Column: site.Column{Key: "size", Label: "Bytes", Title: "size of the function", Number: true}},
	{
		Column: site.Column{
			Key: "covered_share", Label: "Covered", Title: "share of its bytes in blocks that ran", How: page.HowMIPCoverage,
		},
	},
	{Column: site.Column{Key: "covered_bytes", Label: "Covered bytes", Title: "bytes in blocks that ran", Number: true}},
	{
		Column: site.Column{
			Key: "missed_bytes", Label: "Missed bytes", Title: "bytes in blocks that did not run", Number: true,
		},
	},
	{
		Column: site.Column{
			Key: "blocks", Label: "Blocks", Title: "covered of all, without removed blocks", Number: true,
			How: page.HowMIPBlocks,
		},
	},
	{Column: site.Column{Key: "removed_blocks", Label: "Removed", Title: "blocks missing from the program", Number: true}},
	{Column: site.Column{Key: "merge_count", Label: "Runs", Title: "merge count: runs in which it ran", Number: true}},
	{
		Column: site.Column{Key: "avg_timestamp", Label: "First position", Title: "average of its positions at first run",
			Number: true, Ascending: true, How: page.HowMIPOrder}, of: mip.Timestamp,
	},
	{
		Column: site.Column{
			Key: "address", Label: "Address", Title: "at link time, or relative to the raw section if the program is not given",
			Number: true, Ascending: true,
		},
	},
	{Column: site.Column{Key: "signature", Label: "Signature", Title: "first eight bytes of the name's MD5"}},
	{Column: site.Column{Key: "cfg_signature", Label: "CFG signature", Title: "changes with the shape of the function"}},
	{Column: site.Column{Key: "path", Label: "File path", Title: "the source file in the name"}},
})

// sortable adds to columns the words in sort= of those that a table can be sorted by.
func sortable(columns []tableColumn) []tableColumn {
	for i := range columns {
		c := &columns[i]
		switch {
		case c.Key == site.NameColumn:
			c.Sort = "name"
		case slices.Contains(mipWords(false), string(c.Key)):
			c.Sort = c.Key
		}
	}
	return columns
}

// shownColumns are the columns that cols= asks for, or those of the kind of table.
func shownColumns(cols, usual []string, measured mip.ProfileType) ([]tableColumn, error) {
	return site.ShownColumns(tableColumns, site.NameColumn, cols, func(c tableColumn) bool {
		return slices.Contains(usual, string(c.Key)) && measured.Has(c.of)
	})
}

// orderOf is how a table is sorted; usual is the order without sort=.
func orderOf(sort []query.Key, usual string, a site.Address) site.Order {
	word, desc := strings.CutPrefix(usual, "-")
	if len(sort) > 0 {
		i := slices.IndexFunc(mipColumns, func(c mipColumn) bool { return c.column == sort[0].Column })
		word, desc = mipColumns[i].word, sort[0].Desc
	}
	return site.Order{By: query.Column(word), Desc: desc, Usual: []string{usual}, Address: a}
}
