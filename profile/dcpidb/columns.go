package dcpidb

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"proflens/internal/humanize"
	"proflens/profile/query"
	"proflens/profile/table"
)

// What tables of samples can be sorted by besides their columns.
const (
	ColSamples query.Column = "samples" // the first of the columns
	ColImage   query.Column = "image"
	ColAddress query.Column = "address"
)

// amount is a figure in a unit: samples and events are whole numbers, seconds are not.
func amount(v float64, unit Unit) table.Cell {
	if unit == UnitSeconds || v != math.Trunc(v) && unit == UnitSamples {
		return table.Number(v)
	}
	return table.BigCount(strconv.FormatFloat(v, 'f', 0, 64))
}

// value is a cell of the column; null where seconds are asked of what has none.
func (c *Column) value(cell *Cell) table.Cell {
	switch {
	case c.NoTime:
		return table.Null
	case c.Unit == UnitSamples:
		return table.Count(cell.Samples)
	}
	return amount(cell.Value(c.Unit), c.Unit)
}

// Share is a cell's part of the column's total.
func (c *Column) Share(cell *Cell) float64 {
	if total := c.Total.Value(c.Unit); total > 0 {
		return cell.Value(c.Unit) / total
	}
	return 0
}

// Label is the head of the column.
func (c *Column) Label() string { return Label(c.by, c.Name) }

// Label is what an event, epoch or host is called over a column.
func Label(by Dimension, name string) string {
	if at, err := time.Parse(time.RFC3339, name); by == ByEpoch && err == nil {
		return strings.TrimSuffix(humanize.Exactly(at).Text, " UTC")
	}
	return humanize.Printable(name)
}

// Figured is a row with figures, by column.
type Figured interface{ Figures() []Cell }

// ShareOf and RatioOf are what stands around the names of columns with shares, and of
// those with events for a thousand cycles.
const (
	ShareOf = "_share"
	RatioOf = "_ratio"
)

// Ratios are the columns that are set against cycles, which must be the first.
func Ratios(columns []Column) []int {
	var list []int
	if len(columns) > 1 && columns[0].by == ByEvent && strings.EqualFold(columns[0].Event, "cycles") {
		for i := 1; i < len(columns); i++ {
			list = append(list, i)
		}
	}
	return list
}

// PerCycles is how many events of a column there are for a thousand cycles; false without
// cycles.
func PerCycles(cells []Cell, i int) (float64, bool) {
	if cells[0].Events == 0 {
		return 0, false
	}
	return 1000 * cells[i].Events / cells[0].Events, true
}

// declare is a table with a pair of columns for each of the plan's: the figure, by the name
// of the event, epoch or host, and its share. A name that fixed columns have has "column_"
// before it. The usual order is by the first of them where sorted is set.
func (plan *plan) declare(d *table.Declaration, sorted bool) *table.Declaration {
	taken := map[string]bool{}
	for _, f := range d.Fields() {
		taken[f.Name] = taken[f.Name] || f.Script
	}
	var list []table.Made
	for i := range plan.columns {
		c := &plan.columns[i]
		c.Key = c.Name
		for taken[c.Key] || taken[c.Key+ShareOf] {
			c.Key = "column_" + c.Key
		}
		taken[c.Key], taken[c.Key+ShareOf] = true, true
		cell := func(row any) *Cell { return &row.(Figured).Figures()[i] }
		list = append(list,
			table.Made{
				Name: c.Key, Head: c.Label(), Help: c.says(), Width: max(12, len(c.Key)), Is: "sort,number",
				Cell: func(row any, _ *table.Options) table.Cell { return c.value(cell(row)) },
				// What is alike in events or seconds is told apart by samples.
				Compare: func(a, b any) int {
					x, y := cell(a), cell(b)
					if c.Unit == UnitSamples {
						return cmp.Compare(x.Samples, y.Samples)
					}
					return cmp.Or(cmp.Compare(x.Value(c.Unit), y.Value(c.Unit)), cmp.Compare(x.Samples, y.Samples))
				},
			},
			table.Made{
				Name: c.Key + ShareOf, Head: c.Label() + " %", Help: "share of " + c.Name, Width: len(c.Key) + 6, Is: "number,part",
				Cell: func(row any, _ *table.Options) table.Cell {
					if c.NoTime || c.Total.Value(c.Unit) == 0 {
						return table.Null
					}
					return table.Ratio(c.Share(cell(row)))
				},
			})
	}
	if len(list) > 0 && plan.columns[0].by == ByEvent {
		list[0].How = "dcpi-events a number of events or seconds"
	}
	for _, i := range Ratios(plan.columns) {
		list = append(list, table.Made{
			Name: plan.columns[i].Key + RatioOf, Head: plan.columns[i].Label() + " / 1000 cycles",
			Help: "events per thousand cycles, estimated", Is: "page,sort,number",
			Cell: func(row any, _ *table.Options) table.Cell {
				if ratio, ok := PerCycles(row.(Figured).Figures(), i); ok {
					return table.Number(ratio)
				}
				return table.Null
			},
		})
	}
	usual := d.Usual
	if sorted && len(plan.columns) > 0 {
		usual = "-" + plan.columns[0].Key
	}
	return d.With(usual, list)
}

// says is what the figures of the column are.
func (c *Column) says() string {
	switch c.Unit {
	case UnitEvents:
		return "events, estimated: samples × period"
	case UnitSeconds:
		return "seconds of CPU time, estimated: cycles ÷ the processor's speed"
	}
	return "samples, one in " + humanize.Int(c.Rate.Period) + " events"
}

// ask has the word for the first column name it, and gives the column in which shares add
// up: the first that the order has.
func (plan *plan) ask(q *table.Query) (main int) {
	main = -1
	q.Sort = slices.Clone(q.Sort)
	for n := range q.Sort {
		if q.Sort[n].Column == ColSamples && len(plan.columns) > 0 {
			q.Sort[n].Column = query.Column(plan.columns[0].Key)
		}
		i := slices.IndexFunc(plan.columns, func(c Column) bool { return query.Column(c.Key) == q.Sort[n].Column })
		if main < 0 {
			main = i
		}
	}
	return max(main, 0)
}

// Around is what stands around the rows of a selection.
type Around struct {
	Columns Columns `col:"columns" as:"list DCPIColumn"`
	Hidden  Hidden  `col:"hidden_columns"`
	Totals  []Cell  // of the rows that match, by column
}

func (plan *plan) around() *Around {
	return &Around{Columns: plan.columns, Hidden: Hidden(plan.hidden), Totals: make([]Cell, len(plan.columns))}
}

// Hidden is how many columns are left out, being too many.
type Hidden int

// Cell implements [table.Celler].
func (n *Hidden) Cell(string, *table.Options) table.Cell {
	if *n == 0 {
		return table.Absent
	}
	return table.Int(*n)
}

// Columns are those of a selection; scripts have what each shows, and its total.
type Columns []Column

// Cell implements [table.Celler].
func (l *Columns) Cell(_ string, o *table.Options) table.Cell {
	b := []byte{'['}
	for i := range *l {
		c := &(*l)[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = table.AppendString(append(b, `{"name":`...), c.Name)
		b = table.AppendString(append(b, `,"event":`...), c.Event)
		b = fmt.Appendf(b, `,"unit":"%s","total":`, c.Unit)
		b = table.AppendCell(b, c.value(&c.Total), o.Quote)
		b = table.AppendCount(append(b, `,"samples":`...), c.Total.Samples, o.Quote)
		b = table.AppendCell(append(b, `,"events":`...), amount(c.Total.Events, UnitEvents), o.Quote)
		b = append(b, `,"period":`...)
		if c.Unit == UnitSamples {
			b = strconv.AppendUint(b, c.Rate.Period, 10)
		} else {
			b = append(b, "null"...)
		}
		b = append(b, '}')
	}
	return table.JSON(append(b, ']'))
}
