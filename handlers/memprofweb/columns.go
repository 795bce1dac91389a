package memprofweb

import (
	"proflens/decode/memprof"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/profile/memprofdb"
	"proflens/profile/query"
	"proflens/views/memprofview"
)

// contextColumn is one column of the table of allocation contexts.
type contextColumn struct {
	site.Column
	needs    memprof.MIBField // 0 for none
	optional bool             // not among the default columns
}

// contextColumns are all columns of pages, the usual ones first.
func contextColumns() (list []contextColumn) {
	fields, usual := memprofdb.Allocations.OnPage()
	for i, f := range fields {
		c := contextColumn{Column: lists.HeadOf(f), optional: i >= usual}
		c.needs, _ = memprofdb.Needs(c.Key)
		list = append(list, c)
	}
	return list
}

// shownColumns are the columns that cols= asks for, or the default ones that the
// profile has.
func shownColumns(cols []string, schema memprof.MIBSchema) ([]contextColumn, error) {
	return site.ShownColumns(contextColumns(), memprofdb.ColName, cols, func(c contextColumn) bool {
		return !c.optional && c.in(schema)
	})
}

// in reports whether contexts of a schema have the column.
func (c *contextColumn) in(schema memprof.MIBSchema) bool { return c.needs == 0 || schema.Has(c.needs) }

// orderOf is how contexts and sites are sorted: by bytes where nothing else is
// asked for.
func orderOf(keys []query.Key, a site.Address) site.Order {
	return site.OrderOf(keys, query.Key{Column: memprofdb.ColBytes, Desc: true}, a, "-bytes")
}

// contextTable is some contexts with columns; keep are the thresholds of their links.
func contextTable(base string, rows []memprofdb.Row, columns []contextColumn, n frameNames,
	keep string) memprofview.Contexts {
	return memprofview.Contexts{
		Names: n, Heads: plainHeads(columns), Rows: rows,
		URL: func(r *memprofdb.Row) string { return base + "/sites/" + site.FID(r.Context) + keep },
	}
}
