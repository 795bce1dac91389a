package chart

import (
	"math"
	"strings"

	"proflens/internal/humanize"
)

// Plot is a line of bytes over an axis of counts, from 0 on both. Paths are drawn in a box
// of 1000 by 1000 that is stretched over the plot.
type Plot struct {
	Line, Area     string
	XTicks, YTicks []Tick
	Label          string // the plot in a sentence
}

// PlotPoint is a point of a line.
type PlotPoint struct{ X, Y uint64 }

// NewPlot draws points with ascending X; nil where there are none or all is 0.
func NewPlot(points []PlotPoint, label string) *Plot {
	if len(points) == 0 {
		return nil
	}
	right, top := points[len(points)-1].X, uint64(0)
	for _, p := range points {
		top = max(top, p.Y)
	}
	if right == 0 || top == 0 {
		return nil
	}
	place := func(v, whole uint64) float64 { return float64(v) / float64(whole) }
	p := &Plot{Label: label}
	var line strings.Builder
	for i, point := range points {
		line.WriteString(pathStep(i) + Decimal(1000*place(point.X, right)) + " " + Decimal(1000*(1-place(point.Y, top))))
	}
	p.Line = line.String()
	p.Area = p.Line + "V1000H" + Decimal(1000*place(points[0].X, right)) + "Z"
	unit := uint64(1) // the ticks are round in it
	for top/unit >= 1024 {
		unit *= 1024
	}
	if top/unit < 3 && unit > 1 {
		unit /= 2
	}
	for _, v := range roundSteps(top / unit) {
		p.YTicks = append(p.YTicks, Tick{At: Along(1 - place(v*unit, top)), Label: humanize.AxisBytes(v * unit)})
	}
	for _, v := range roundSteps(right) {
		p.XTicks = append(p.XTicks, Tick{At: Along(place(v, right)), Label: humanize.AxisCount(v)})
	}
	return p
}

// roundSteps are at most six round numbers from 0 to the last.
func roundSteps(last uint64) []uint64 {
	step := uint64(1)
	for i := 0; last/step > 5; i++ { // 1, 2, 5, 10, 20 …
		step = step * [...]uint64{4, 5, 4}[i%3] / 2
	}
	var list []uint64
	for v := uint64(0); v <= last; v += step {
		list = append(list, v)
		if v > math.MaxUint64-step {
			break
		}
	}
	return list
}
