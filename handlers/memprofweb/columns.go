package memprofweb

import (
	"fmt"
	"math"
	"strings"

	"proflens/decode/memprof"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/memprofdb"
	"proflens/profile/query"
	"proflens/profile/table"
	"proflens/views/memprofview"
	"proflens/views/page"
)

// contextColumn is one column of the table of allocation contexts.
type contextColumn struct {
	site.Column
	write    func(float64) humanize.Number // nil for words
	needs    memprof.MIBField              // 0 for none
	optional bool                          // not among the default columns
}

func writeCount(v float64) humanize.Number { return humanize.BigCount(fmt.Sprintf("%.0f", v)) }
func writeBytes(v float64) humanize.Number { return humanize.Bytes(uint64(math.Round(v))) }

// contextColumns are all columns of pages, the usual ones first.
var contextColumns = func() (list []contextColumn) {
	fields, usual := memprofdb.Allocations.OnPage()
	for i, f := range fields {
		c := contextColumn{Column: lists.HeadOf(f), optional: i >= usual}
		var real bool
		c.needs, real = memprofdb.Needs(c.Key)
		switch {
		case !c.Number:
		case f.Unit == table.Bytes:
			c.write = writeBytes
		case f.Unit == table.Milliseconds:
			c.write = humanize.Milliseconds
		case real:
			c.write = humanize.Rate
		default:
			c.write = writeCount
		}
		list = append(list, c)
	}
	return list
}()

// shownColumns are the columns that cols= asks for, or the default ones that the
// profile has.
func shownColumns(cols []string, schema memprof.MIBSchema) ([]contextColumn, error) {
	return site.ShownColumns(contextColumns, memprofdb.ColName, cols, func(c contextColumn) bool {
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

// classTag shows a class as a word on its colour.
func classTag(row *memprofdb.Row) page.Tag { return tag(string(row.Class)) }

func tag(class string) page.Tag {
	switch class {
	case "cold":
		return page.Tag{Text: class, Tone: "cold", Title: "rarely accessed and long-lived"}
	case "hot":
		return page.Tag{
			Text: class, Tone: "hot", Title: "needs hot hints: without -memprof-use-hot-hints the compiler treats it as not " +
				"cold",
		}
	case "unknown":
		return page.Tag{Text: class, Tone: page.Neutral, Title: "the context lacks the fields that decide the class"}
	}
	return page.Tag{Text: class, Tone: page.Neutral, Title: "neither cold nor hot"}
}

// contextRow makes a row of the table.
func contextRow(base string, row *memprofdb.Row, columns []contextColumn, n frameNames,
	keep string) memprofview.ContextRow {
	r := memprofview.ContextRow{
		URL: base + "/sites/" + site.FID(row.Context) + keep, Class: classTag(row), Mixed: row.Mixed,
		Name: humanize.Name{Base: "no frames", Full: "a stack without frames", Missing: true},
	}
	if len(row.Stack) > 0 {
		f := &row.Stack[row.Own]
		r.Name, r.Place, r.PlaceURL = n.function(f.Function), place(f), n.lineURL(f.File, f.Line)
		if leaf := &row.Stack[0]; row.Own > 0 {
			r.Via, r.ViaPlace = short(n, leaf.Function), place(leaf)
		}
		r.User = userName(n, row.User)
	}
	r.Stack = stackTitle(row, n)
	for _, c := range columns {
		cell := humanize.Number{}
		if c.write != nil {
			cell = humanize.Number{Text: "–", Exact: "not known"}
			if v, known := row.Value(c.Key); known {
				cell = c.write(v)
			}
		}
		r.Cells = append(r.Cells, cell)
	}
	return r
}

// stackTitle is the first frames of a stack, a line each.
func stackTitle(row *memprofdb.Row, n frameNames) string {
	const shown = 12
	var b strings.Builder
	for i := range row.Stack[:min(len(row.Stack), shown)] {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(n.function(row.Stack[i].Function).Whole())
	}
	if row.Depth > shown {
		b.WriteString("\n… " + humanize.Int(row.Depth-shown) + " more")
	}
	return b.String()
}
