package sampleweb

import (
	"proflens/decode/sampleprof"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/sampledb"
	"proflens/views/chart"
	"proflens/views/page"
	"proflens/views/sampleview"
)

// functionTable makes the overview's rows of functions.
type functionTable struct {
	o       *sampledb.Overview
	base    string
	symbols site.Symbols
	whole   uint64 // what shares are of
}

// overviewHeads are the columns of the overview's table, which cannot be sorted.
func overviewHeads(o *sampledb.Overview) []page.Head {
	var heads []page.Head
	fields, usual := o.Shown(false).OnPage()
	for _, f := range fields[:usual] {
		if f.Name == "body" || f.Name == "max" {
			continue
		}
		heads = append(heads, page.Head{Column: f.Name, Label: f.Head, Title: f.Help, Number: f.Number()})
		if f.Share {
			heads = append(heads, page.Head{Column: "share", Label: "Share", Title: "of all totals"},
				page.Head{Column: "cum", Label: "Sum", Title: "share of this row and those above", Number: true})
		}
	}
	return heads
}

// table makes the table of rows; the first has rank offset + 1.
func (t *functionTable) table(caption string, heads []page.Head, rows []*sampledb.Name, offset int) sampleview.Table {
	m := sampleview.Table{Caption: caption, Heads: heads}
	largest, sum := uint64(0), uint64(0)
	for _, n := range rows {
		largest = max(largest, n.Total)
	}
	for i, n := range rows {
		sum = sampleprof.Add(sum, n.Total)
		m.Rows = append(m.Rows, sampleview.FunctionRow{
			Rank: humanize.Int(offset + i + 1), Name: nameOf(n, t.symbols), URL: pageOf(t.base, n),
			Total: humanize.Count(n.Total),
			Head:  humanize.Count(n.Head),
			Share: site.Percent(n.Total, t.whole, 1), Sum: humanize.Percent(part(sum, t.whole), 1),
			Bar:      chart.ShareBar(part(n.Total, t.whole), part(largest, t.whole)),
			Inlinees: humanize.Int(n.Inlinees), Fit: fitTag(n.Fit), Lost: lostOf(t.o, n),
		})
	}
	return m
}
