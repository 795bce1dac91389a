package memprofview

import (
	"math"

	"proflens/analyze"
	"proflens/internal/humanize"
	"proflens/profile/memprofdb"
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
	x, y                   scatterAxis
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
	X, Y, R string
	Class   string // cold, notcold, hot, unknown
	Title   string
}

// ScatterRegion is a part of the plane.
type ScatterRegion struct{ X, Y, Width, Height string }

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

// NewScatter draws the contexts that have both figures, the one of most bytes largest, with
// the thresholds of classes. It returns nil for none.
func NewScatter(rows []memprofdb.Row, t analyze.MemProfThresholds, n Names) *Scatter {
	var lifetimes, densities, bytes []float64
	var drawn []*memprofdb.Row
	largest := 0.0
	for i := range rows {
		lifetime, ok1 := rows[i].Value(memprofdb.ColAvgLifetime)
		density, ok2 := rows[i].Value(memprofdb.ColAvgLifetimeDensity)
		if !ok1 || !ok2 {
			continue
		}
		size, _ := rows[i].Value(memprofdb.ColBytes)
		drawn, lifetimes, densities, bytes = append(drawn, &rows[i]), append(lifetimes, lifetime),
			append(densities, density), append(bytes, size)
		largest = math.Max(largest, size)
	}
	if len(drawn) == 0 {
		return nil
	}
	coldLifetime, coldDensity, hotDensity := 1000*float64(t.ColdLifetime), float64(t.ColdDensity), float64(t.HotDensity)
	x, y := newScatterAxis(lifetimes, coldLifetime), newScatterAxis(densities, coldDensity, hotDensity)
	s := &Scatter{
		x: x, y: y,
		XTicks: x.ticks(func(v float64) string { return humanize.Milliseconds(v).Text }, false),
		YTicks: y.ticks(func(v float64) string { return humanize.Rate(v).Text }, true),
		MinX:   humanize.InFull(x.low), MaxX: humanize.InFull(x.high), MinY: humanize.InFull(y.low),
		MaxY:  humanize.InFull(y.high),
		Label: humanize.Say("lifetime and access density of {context}, area by bytes", len(drawn)),
	}
	hot, cold := 1-y.at(hotDensity), 1-y.at(coldDensity)
	s.Hot = &ScatterRegion{X: "0%", Y: "0%", Width: "100%", Height: chart.Along(hot)}
	s.Cold = &ScatterRegion{
		X: chart.Along(x.at(coldLifetime)), Y: chart.Along(cold), Width: chart.Along(1 - x.at(coldLifetime)),
		Height: chart.Along(1 - cold),
	}
	for i, row := range drawn {
		r := 2.0
		if largest > 0 {
			r = math.Max(2, 14*math.Sqrt(bytes[i]/largest))
		}
		title := "no frames"
		if len(row.Stack) > 0 {
			title = n.Function(row.Stack[0].Function).Whole()
		}
		s.Points = append(s.Points, ScatterPoint{
			X: chart.Along(x.at(lifetimes[i])), Y: chart.Along(1 - y.at(densities[i])), R: chart.Decimal(r),
			Class: memprofdb.ClassWord(row.Class), Title: title + "\n" + humanize.Bytes(uint64(bytes[i])).Text + ", " +
				string(row.Class) + "\nlived " + humanize.Milliseconds(lifetimes[i]).Text + ", " +
				humanize.Rate(densities[i]).Text + " accesses per byte and second",
		})
	}
	return s
}

// Region is the part of the plane of two ranges, for the brush.
func (s *Scatter) Region(lifetime, density [2]float64) *ScatterRegion {
	x, y := s.x, s.y
	left, right, top, foot := x.at(lifetime[0]), x.at(lifetime[1]), 1-y.at(density[1]), 1-y.at(density[0])
	return &ScatterRegion{
		X: chart.Along(left), Y: chart.Along(top), Width: chart.Along(right - left), Height: chart.Along(foot - top),
	}
}
