package chart

import (
	"fmt"
	"strings"

	"proflens/internal/humanize"
)

// Zoom is a part of a function's counters, enlarged: a bar for each, or for a few
// neighbours, on the log scale of the whole function. Everything is in percent.
type Zoom struct {
	Bars   []ZoomBar
	XTicks []Tick
	YTicks []Tick
	Label  string
}

// ZoomBar is one counter, or the largest of several neighbours.
type ZoomBar struct {
	X, Y, Width, Height string
	Step                int
	Title               string
	Mark                string // over the largest of all: its count and number
	Left                bool   // the mark ends at the bar, for want of room behind it
}

// NewZoom draws the counters from..to, both inclusive, of a function; nil where that is
// nothing. at is where the function's largest is.
func NewZoom(counters []uint64, from, to, at int, heat Heat) *Zoom {
	if from < 0 || to >= len(counters) || from > to || at < 0 || at >= len(counters) {
		return nil
	}
	largest, n := counters[at], to-from+1
	bars := min(n, StripBuckets)
	z := &Zoom{Label: humanize.Say("counters {} to {}, log scale", from, to)}
	for b := range bars {
		first, end := from+b*n/bars, from+(b+1)*n/bars
		most := first
		for i := first; i < end; i++ {
			if counters[i] > counters[most] {
				most = i
			}
		}
		v := counters[most]
		bar := ZoomBar{
			X: Along((float64(first-from) + 0.1) / float64(n)), Width: Along(0.8 * float64(end-first) / float64(n)),
			Title: humanize.Say("counter {}: {}", most, v), Step: heat.Step(v),
		}
		if end-first > 1 {
			bar.Title = humanize.Say("counters {}–{}, at most {}", first, end-1, v)
		}
		// A zero is a line on the ground, so that it is seen that it was counted.
		height := max(LogHeight(v, largest, BarDoublings), 0.015)
		bar.Y, bar.Height = Along(1-height), Along(height)
		if at >= first && at < end && largest > 0 {
			bar.Mark, bar.Left = humanize.Say("{:count}, no. {}", v, at), 2*(first-from) > n
		}
		z.Bars = append(z.Bars, bar)
	}
	for _, v := range roundSteps(uint64(n - 1)) {
		z.XTicks = append(z.XTicks, Tick{At: Along((float64(v) + 0.5) / float64(n)), Label: humanize.Int(from + int(v))})
	}
	for v := uint64(1); v <= largest/2; {
		z.YTicks = append(z.YTicks, Tick{At: Along(1 - LogHeight(v, largest, BarDoublings)), Label: humanize.AxisCount(v)})
		if v > largest/100 {
			break
		}
		v *= 100
	}
	return z
}

// CodePath is all bars of one step of heat, in a box of 1000 by 20.
type CodePath struct {
	Step int
	D    string
}

// NewBarcode draws counters in order as lines of equal height: what ran at all, and how
// hot. It is for putting runs of the same code below one another.
func NewBarcode(counters []uint64, heat Heat) []CodePath {
	n := len(counters)
	buckets := min(n, StripBuckets)
	var steps [HeatSteps]strings.Builder
	for b := range buckets {
		first, end := b*n/buckets, (b+1)*n/buckets
		var v uint64
		for _, c := range counters[first:end] {
			v = max(v, c)
		}
		if v > 0 {
			x, width := 1000*float64(first)/float64(n), 1000*float64(end-first)/float64(n)
			fmt.Fprintf(&steps[heat.Step(v)], "M%s 0h%sv20h-%sz", Decimal(x), Decimal(width), Decimal(width))
		}
	}
	var paths []CodePath
	for step := range steps {
		if steps[step].Len() > 0 {
			paths = append(paths, CodePath{step, steps[step].String()})
		}
	}
	return paths
}
