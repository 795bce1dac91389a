package moves

import (
	"proflens/internal/humanize"
	"proflens/profile/table"
	"proflens/views/chart"
	"proflens/views/page"
)

// chartMoves is how many rows the chart has.
const chartMoves = 10

// dumbbellEdge is how much of the width is left free at both ends, in per cent.
const dumbbellEdge = 4.0

// chart draws the largest moves.
func (v *View[P]) chart(rows []P) *page.Dumbbells {
	largest := 0.0
	for _, row := range rows {
		largest = max(largest, row.Measured().InBase, row.Measured().InTest)
	}
	at := func(value float64) string {
		if largest > 0 {
			value /= largest
		}
		return chart.Decimal(dumbbellEdge + value*(100-2*dumbbellEdge))
	}
	d := &page.Dumbbells{Title: "Ten largest moves", Says: v.Measure}
	if len(rows) < chartMoves {
		d.Title = "Largest moves"
	}
	for _, tick := range chart.Steps(largest, v.Unit.Name == "bytes") {
		d.Ticks = append(d.Ticks, page.DumbbellTick{At: at(tick), Label: v.Unit.Tick(tick)})
	}
	for _, row := range rows {
		r, in := row.Measured(), row.Standing()
		b := page.Dumbbell{
			A: at(r.InBase), B: at(r.InTest), From: at(min(r.InBase, r.InTest)), To: at(max(r.InBase, r.InTest)),
			Word: v.word(r.Change), Change: v.Unit.Change(r.Change),
			Title: "A " + v.side(row, false, "absent") + ", B " + v.side(row, true, "absent"),
		}
		b.Name, b.URL = v.Name(row)
		b.AbsentA, b.AbsentB = in.Absent()
		if alone := in & (table.OnlyBase | table.OnlyTest); alone != 0 {
			b.Tag = tagOf(v.Of.States[alone.Bit()])
		}
		d.Rows = append(d.Rows, b)
	}
	humanize.Apart(d.Rows, func(b *page.Dumbbell) *humanize.Name { return &b.Name })
	return d
}

// word is what a change is coloured by: more or less, or better or worse where the rows say which.
func (v *View[P]) word(change float64) string {
	is := string(table.DirectionOf(change))
	switch {
	case v.Of.Better == "" || change == 0:
		return is
	case is == v.Of.Better:
		return "better"
	}
	return "worse"
}

// side is what one side has, in words, or what stands for a row that it lacks.
func (v *View[P]) side(row P, test bool, absent string) string {
	value := row.Measured().InBase
	lacks, lacksTest := row.Standing().Absent()
	if test {
		value, lacks = row.Measured().InTest, lacksTest
	}
	if lacks {
		return absent
	}
	return v.Unit.Value(value)
}
