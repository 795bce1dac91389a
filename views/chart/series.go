package chart

import (
	"strconv"
)

// SeriesChart is levels over columns of equal width, a line each: what an image or
// a procedure has in each epoch. Paths are drawn in a box of 1000 by 1000 that is
// stretched over the plot.
type SeriesChart struct {
	Label          string // the chart in a sentence
	Lines          []SeriesLine
	XTicks, YTicks []Tick
}

// SeriesLine is one line with its place in the legend.
type SeriesLine struct {
	Name, Path string
	Class      string // series-0 to series-7
}

// Series is what a line shows, a value for each column.
type Series struct {
	Name   string
	Values []float64
}

// What a chart of series shows at most.
const (
	MaxSeries       = 8
	maxSeriesLabels = 6
)

// NewSeriesChart draws the first MaxSeries lines. Steps of one line are joined where
// the columns follow each other in time. It returns nil where there are fewer than
// two columns or all is 0. y writes a value on the axis.
func NewSeriesChart(label string, columns []string, lines []Series, joined bool, y func(float64) string) *SeriesChart {
	top := 0.0
	lines = lines[:min(len(lines), MaxSeries)]
	for _, l := range lines {
		for _, v := range l.Values[:min(len(l.Values), len(columns))] {
			top = max(top, v)
		}
	}
	if len(columns) < 2 || top <= 0 {
		return nil
	}
	c := &SeriesChart{Label: label}
	x := func(i int) string { return Decimal(1000 * float64(i) / float64(len(columns))) }
	for n, l := range lines {
		line := SeriesLine{Name: l.Name, Class: "series-" + strconv.Itoa(n)}
		var path []byte
		for i, v := range l.Values[:min(len(l.Values), len(columns))] {
			height := Decimal(1000 * (1 - max(v, 0)/top))
			if i == 0 || !joined {
				path = append(path, "M"+x(i)+" "+height...)
			} else {
				path = append(path, "V"+height...)
			}
			path = append(path, "H"+x(i+1)...)
		}
		line.Path = string(path)
		c.Lines = append(c.Lines, line)
	}
	c.YTicks = roundTicks(top, y)
	step := (len(columns) + maxSeriesLabels - 1) / maxSeriesLabels
	for i := 0; i < len(columns); i += step {
		c.XTicks = append(c.XTicks, Tick{
			At: Along((float64(i) + 0.5) / float64(len(columns))), Label: columns[i], Minor: len(c.XTicks)%2 == 1,
		})
	}
	return c
}

// roundTicks are some four round values from 0 to the largest, in words that differ.
func roundTicks(top float64, write func(float64) string) (ticks []Tick) {
	step := stepOf(top / 4)
	for i := 0.0; i*step <= top && i < 6; i++ {
		if label := write(i * step); len(ticks) == 0 || label != ticks[len(ticks)-1].Label {
			ticks = append(ticks, Tick{At: Along(1 - i*step/top), Label: label})
		}
	}
	return ticks
}
