package chart

import (
	"strconv"
	"strings"

	"proflens/internal/humanize"
)

// Shape is a sparkline of a record's counters in order, at most 24 bars in a
// box of ShapeWidth by ShapeHeight.
type Shape struct {
	Bars  []ShapeBar
	Label string
}

// ShapeBar is one bar of a sparkline.
type ShapeBar struct {
	X, Y, Height string
	Step         int
}

// The box of a sparkline: bars of 3 with a gap of 1.
const (
	ShapeWidth  = 96
	ShapeHeight = 16
)

// shapeDoublings is fewer than a bar's: a sparkline shows contrast, not values.
const shapeDoublings = 12

// NewShape draws a shape as store.FunctionRow has it. A bucket of zero has no bar.
func NewShape(shape []uint64, counters uint32, heat Heat) Shape {
	s := Shape{Label: humanize.Plural(counters, "counter") + " in order, log scale"}
	var largest uint64
	for _, v := range shape {
		largest = max(largest, v)
	}
	for i, v := range shape {
		if v == 0 {
			continue
		}
		height := max(int(ShapeHeight*LogHeight(v, largest, shapeDoublings)+0.5), 1)
		s.Bars = append(s.Bars, ShapeBar{
			X: strconv.Itoa(4 * i), Y: strconv.Itoa(ShapeHeight - height), Height: strconv.Itoa(height), Step: heat.Step(v),
		})
	}
	return s
}

// ShapePath is the bars of one step as a single path, which keeps a table of a
// hundred sparklines small.
type ShapePath struct {
	Step int
	D    string
}

// Paths are the bars, step by step.
func (s Shape) Paths() []ShapePath {
	var steps [HeatSteps]strings.Builder
	for _, b := range s.Bars {
		steps[b.Step].WriteString("M" + b.X + " " + b.Y + "h3v" + b.Height + "h-3z")
	}
	var paths []ShapePath
	for step := range steps {
		if steps[step].Len() > 0 {
			paths = append(paths, ShapePath{step, steps[step].String()})
		}
	}
	return paths
}
