package memprofview

import (
	"math"

	"proflens/internal/humanize"
	"proflens/views/chart"
	"proflens/views/page"
)

// Scatter is allocation contexts by lifetime and access density, both on a log
// scale, an area for the bytes of each.
type Scatter struct {
	Points         []ScatterPoint
	XTicks, YTicks []chart.Tick
	Hot, Cold      *ScatterRegion // nil out of sight
	Label          string
	Note           string // points that are not drawn
	// What a script needs to turn places into values: the ends of the axes.
	MinX, MaxX, MinY, MaxY string
	Brush                  *ScatterRegion // ranges in force
	Form                   ScatterForm
}

// ScatterForm is the two ranges that a brush sets.
type ScatterForm struct {
	Action            string
	Lifetime, Density string // "1000..", in ms and accesses per byte and second
	Keep              []page.Hidden
	Clear             string
}

// ScatterPoint is one context.
type ScatterPoint struct {
	X, Y, R    string
	Class      string // cold, notcold, hot, unknown
	Title, URL string
}

// ScatterRegion is a part of the plane.
type ScatterRegion struct{ X, Y, Width, Height string }

// ScatterContext is what a point is drawn of.
type ScatterContext struct {
	Lifetime, Density float64 // ms; accesses per byte and second
	Bytes             float64
	Class, Title, URL string
}

// ScatterLimits are the thresholds of classes: ms, and accesses per byte and
// second.
type ScatterLimits struct{ ColdLifetime, ColdDensity, HotDensity float64 }

// scatterAxis is a log scale. What is at or below its low end stands on it.
type scatterAxis struct{ low, high float64 }

func (a scatterAxis) at(v float64) float64 {
	if !(v > a.low) {
		return 0
	}
	return math.Min(math.Log(v/a.low)/math.Log(a.high/a.low), 1)
}

// newScatterAxis covers the values and some more, in powers of ten.
func newScatterAxis(values []float64, also ...float64) scatterAxis {
	low, high := math.Inf(1), 0.0
	for _, list := range [][]float64{values, also} {
		for _, v := range list {
			if v > 0 {
				low, high = math.Min(low, v), math.Max(high, v)
			}
		}
	}
	if high == 0 {
		low, high = 1, 1
	}
	a := scatterAxis{
		math.Pow10(int(math.Floor(math.Log10(low) - 0.1))), math.Pow10(int(math.Ceil(math.Log10(high) + 0.1))),
	}
	if a.high/a.low > 1e15 {
		a.low = a.high / 1e15
	}
	return a
}

// ticks are at most six powers of ten.
func (a scatterAxis) ticks(write func(float64) string, flip bool) []chart.Tick {
	from, to := int(math.Round(math.Log10(a.low))), int(math.Round(math.Log10(a.high)))
	step := max((to-from+5)/6, 1)
	var list []chart.Tick
	for e := from; e <= to; e += step {
		at := a.at(math.Pow10(e))
		if flip {
			at = 1 - at
		}
		list = append(list, chart.Tick{At: chart.Along(at), Label: write(math.Pow10(e))})
	}
	return list
}

// NewScatter draws contexts, the one of most bytes largest. It returns nil for
// none.
func NewScatter(contexts []ScatterContext, t ScatterLimits) *Scatter {
	if len(contexts) == 0 {
		return nil
	}
	lifetimes, densities := make([]float64, len(contexts)), make([]float64, len(contexts))
	largest := 0.0
	for i, c := range contexts {
		lifetimes[i], densities[i] = c.Lifetime, c.Density
		largest = math.Max(largest, c.Bytes)
	}
	x, y := newScatterAxis(lifetimes, t.ColdLifetime), newScatterAxis(densities, t.ColdDensity, t.HotDensity)
	s := &Scatter{
		XTicks: x.ticks(func(v float64) string { return humanize.Milliseconds(v).Text }, false),
		YTicks: y.ticks(func(v float64) string { return humanize.Rate(v).Text }, true),
		MinX:   humanize.InFull(x.low), MaxX: humanize.InFull(x.high), MinY: humanize.InFull(y.low),
		MaxY:  humanize.InFull(y.high),
		Label: "lifetime and access density of " + humanize.Plural(len(contexts), "context", "contexts") + ", area by bytes",
	}
	hot, cold := 1-y.at(t.HotDensity), 1-y.at(t.ColdDensity)
	s.Hot = &ScatterRegion{X: "0%", Y: "0%", Width: "100%", Height: chart.Along(hot)}
	s.Cold = &ScatterRegion{
		X: chart.Along(x.at(t.ColdLifetime)), Y: chart.Along(cold), Width: chart.Along(1 - x.at(t.ColdLifetime)),
		Height: chart.Along(1 - cold),
	}
	for _, c := range contexts {
		r := 2.0
		if largest > 0 {
			r = math.Max(2, 14*math.Sqrt(c.Bytes/largest))
		}
		s.Points = append(s.Points, ScatterPoint{
			X: chart.Along(x.at(c.Lifetime)), Y: chart.Along(1 - y.at(c.Density)), R: chart.Decimal(r), Class: c.Class,
			Title: c.Title, URL: c.URL,
		})
	}
	return s
}

// Region is the part of the plane of two ranges, for the brush.
func (s *Scatter) Region(lifetime, density [2]float64) *ScatterRegion {
	axis := func(low, high string) scatterAxis { return scatterAxis{parse(low), parse(high)} }
	x, y := axis(s.MinX, s.MaxX), axis(s.MinY, s.MaxY)
	left, right, top, foot := x.at(lifetime[0]), x.at(lifetime[1]), 1-y.at(density[1]), 1-y.at(density[0])
	return &ScatterRegion{
		X: chart.Along(left), Y: chart.Along(top), Width: chart.Along(right - left), Height: chart.Along(foot - top),
	}
}
