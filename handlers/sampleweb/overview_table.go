package sampleweb

import (
	"proflens/decode/sampleprof"
	"proflens/handlers/lists"
	"proflens/internal/humanize"
	"proflens/profile/sampledb"
	"proflens/views/chart"
	"proflens/views/page"
	"proflens/views/sampleview"
)

// overviewHeads are the columns of the overview's table, which cannot be sorted.
func overviewHeads(o *sampledb.Overview) []page.Head {
	var heads []page.Head
	fields, usual := o.Shown(false).OnPage()
	for _, f := range fields[:usual] {
		if f.Name == "body" || f.Name == "max" {
			continue
		}
		heads = append(heads, lists.HeadOf(f).Head())
		if f.Share {
			heads = append(heads, page.Head{Column: "share", Label: "Share", Title: "of all totals"},
				page.Head{Column: "cum", Label: "Sum", Title: "share of this row and those above", Number: true})
		}
	}
	return heads
}

// topTable makes the table of the first functions.
func topTable(o *sampledb.Overview, top *sampledb.Page, names sampleview.Names) sampleview.Table {
	m := sampleview.Table{Caption: "Functions by samples", Heads: overviewHeads(o)}
	largest, sum := uint64(0), uint64(0)
	for _, n := range top.Rows {
		largest = max(largest, n.Total)
	}
	for _, n := range top.Rows {
		sum = sampleprof.Add(sum, n.Total)
		share := humanize.Part(n.Total, top.Total)
		m.Rows = append(m.Rows, sampleview.FunctionRow{
			Name: n, Shown: names.Name(n), URL: names.URL(n), Share: share, Sum: humanize.Part(sum, top.Total),
			Bar:  chart.ShareBar(share, humanize.Part(largest, top.Total)),
			Lost: lostOf(o, n), Fit: fitTag(n.Fit),
		})
	}
	humanize.Apart(m.Rows, func(r *sampleview.FunctionRow) *humanize.Name { return &r.Shown })
	return m
}
