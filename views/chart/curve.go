package chart

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"proflens/internal/humanize"
)

// CurvePoint says that the first N functions, hottest first, hold Share (0 to
// 1) of the total.
type CurvePoint struct {
	N     int
	Share float64
}

// Curve is the chart "how few functions are hot": cumulative share over rank,
// log x. Paths are drawn in a box of 1000 by 1000 that is stretched over the
// plot; everything else is placed in percent of the plot, so that text keeps
// its size.
type Curve struct {
	Line, Area string
	XTicks     []Tick
	YTicks     []Tick
	Marks      []CurveMark
	Points     string // "n:share …" for the crosshair
	Label      string // the chart in a sentence
	Rows       []CurveRow
}

// CurveMark is a point of the curve with a name.
type CurveMark struct {
	X, Y   string
	LabelY string // where the label hangs: at the point, or lower to stay clear of the curve
	Label  string // "90 %"
	Note   string // "498", functions
	Left   bool   // the label stands to the left of the line
	Low    bool   // the label stands two lines lower, clear of the other one
}

// CurveRow is one row of the chart's table.
type CurveRow struct{ N, Share string }

// NewCurve draws the curve; hot90 and hot99 are the least numbers of functions
// that hold 90 % and 99 %. It returns nil when there is nothing to draw.
func NewCurve(points []CurvePoint, hot90, hot99 int) *Curve {
	if len(points) == 0 || points[len(points)-1].Share <= 0 {
		return nil
	}
	last := points[len(points)-1].N
	x := func(n int) float64 { return logPosition(n, last) }
	c := &Curve{Label: curveLabel(hot90, hot99, last)}

	var line, data strings.Builder
	for i, p := range points {
		line.WriteString(pathStep(i) + Decimal(1000*x(p.N)) + " " + Decimal(1000*(1-p.Share)))
		if i > 0 {
			data.WriteByte(' ')
		}
		data.WriteString(strconv.Itoa(p.N) + ":" + fourDigits(p.Share))
	}
	if len(points) == 1 { // a single function: a level line
		line.WriteString("H1000")
	}
	c.Line = line.String()
	c.Area = c.Line + "V1000H0Z"
	c.Points = data.String()

	for _, share := range []float64{1, 0.75, 0.5, 0.25, 0} {
		c.YTicks = append(c.YTicks, Tick{At: Along(1 - share), Label: humanize.Percent(share, 0)})
	}
	c.XTicks = decades(last, x)
	var at []float64
	for _, m := range []struct {
		n     int
		share float64
	}{{hot90, 0.9}, {hot99, 0.99}} {
		if m.n <= 0 {
			continue
		}
		at = append(at, x(m.n))
		c.Marks = append(c.Marks, CurveMark{
			X: Along(x(m.n)), Y: Along(1 - shareAt(points, m.n)),
			Label: humanize.Percent(m.share, 0), Note: humanize.Int(m.n),
		})
	}
	spread(c.Marks, at)
	hang(c.Marks, at, func(x float64) float64 {
		return shareAt(points, int(math.Pow(float64(last), max(x, 0))))
	})
	c.Rows = curveRows(points, hot90, hot99)
	return c
}

// labelWidth is about how much of the plot a mark's label takes; overhang is
// how far one may reach into the margin.
const labelWidth, overhang = 0.17, 0.05

// spread puts the labels on the sides of their lines where they neither leave
// the plot nor meet. The right side is the better one: the curve only rises, so
// it never runs through a label there.
func spread(marks []CurveMark, at []float64) {
	if len(marks) == 0 {
		return
	}
	second := len(marks) - 1
	marks[second].Left = at[second] > 1-labelWidth+overhang
	if second == 0 {
		return
	}
	gap := at[1] - at[0]
	switch {
	case marks[1].Left && gap < 2*labelWidth:
		marks[0].Left = true
		marks[1].Low = gap < labelWidth
	case gap < labelWidth && at[0] >= labelWidth:
		marks[0].Left = true
	case gap < labelWidth:
		marks[1].Low = true
	}
}

// hang lowers the labels on the left under the curve, which share reads at a
// place of the x axis.
func hang(marks []CurveMark, at []float64, share func(x float64) float64) {
	for i := range marks {
		m := &marks[i]
		m.LabelY = m.Y
		if m.Left {
			m.LabelY = Along(1 - share(at[i]-labelWidth))
		}
		if m.Low && m.Left {
			m.LabelY = marks[0].LabelY
		}
	}
}

func curveLabel(hot90, hot99, all int) string {
	return humanize.Say("Of {function}, hottest first, {} hold 90 % of the total count and {} hold 99 %.", all, hot90,
		hot99)
}

// curveRows picks 1, 2, 5, 10, 20, 50 … functions, the two marks and all.
func curveRows(points []CurvePoint, marks ...int) []CurveRow {
	last := points[len(points)-1].N
	ns := append([]int{last}, marks...)
	for decade := 1; decade <= last; decade *= 10 {
		ns = append(ns, decade, 2*decade, 5*decade)
	}
	slices.Sort(ns)
	var rows []CurveRow
	for _, n := range slices.Compact(ns) {
		if n >= 1 && n <= last {
			rows = append(rows, CurveRow{N: humanize.Int(n), Share: humanize.Percent(shareAt(points, n), 2)})
		}
	}
	return rows
}

// shareAt reads the curve at n, in a straight line between its points.
func shareAt(points []CurvePoint, n int) float64 {
	i, found := slices.BinarySearchFunc(points, n, func(p CurvePoint, n int) int { return p.N - n })
	switch {
	case found:
		return points[i].Share
	case i == len(points):
		return points[i-1].Share
	case i == 0:
		return points[0].Share
	}
	a, b := points[i-1], points[i]
	return a.Share + (b.Share-a.Share)*float64(n-a.N)/float64(b.N-a.N)
}

// logPosition places n, from 1, on a log axis that ends at last.
func logPosition(n, last int) float64 {
	if last <= 1 || n <= 1 {
		return 0
	}
	return math.Log(float64(n)) / math.Log(float64(last))
}

func decades(last int, x func(int) float64) []Tick {
	var ticks []Tick
	for n := 1; n <= last; n *= 10 {
		ticks = append(ticks, Tick{At: Along(x(n)), Label: humanize.AxisCount(uint64(n)), Minor: len(ticks)%2 == 1})
	}
	if len(ticks) <= 4 {
		for i := range ticks {
			ticks[i].Minor = false
		}
	}
	return ticks
}

func pathStep(i int) string {
	if i == 0 {
		return "M"
	}
	return "L"
}
