package chart

import (
	"cmp"
	"math"
	"slices"
)

// Trend is a line over builds, each as wide as the next. Paths are drawn in a box of 1000
// by 1000 that is stretched over the plot; all else is placed in percent of it.
type Trend struct {
	Label  string   // the chart in a sentence
	Lines  []string // pieces of the line: a point without a value breaks it
	Points []TrendPoint
	Steps  []TrendStep
	Limits []TrendLimit
	XTicks []Tick
	YTicks []Tick
	Dotted bool // few enough for a mark each
}

// TrendPoint is a point that has a value.
type TrendPoint struct {
	X, Y          string
	Title         string
	URL, Compare  string // its page; its comparison with the one before, which may be empty
	Missed        bool   // it is on the wrong side of a limit
	Step, Newest  bool
	Worse, Better bool // of a step
}

// TrendStep is the band between the points round a step, and its label where there is room.
type TrendStep struct {
	X, Width      string
	Worse, Better bool
	Text, Note    string // empty without room
	TextX         string
	Left          bool // the label ends at the band
}

// TrendLimit is a dashed line, its label below or, where the scale ends, above it.
type TrendLimit struct{ Y, Label, Aside string }

// TrendValue is one of the builds of a trend.
type TrendValue struct {
	Number       float64
	Known        bool
	Title        string // of the point
	Tick         string // below the axis, where there is room
	URL, Compare string
	// Step is how far the level moved, 0 where it did not; StepText and StepNote say it.
	Step               float64
	StepText, StepNote string
}

// TrendAxis is what the values of a trend are.
type TrendAxis struct {
	Better int // 1 where more is better, -1 where less is, 0 where neither
	// Least and Most are what no value passes; equal where there is nothing such.
	Least, Most float64
	Bytes       bool
	Write       func(float64) string
	Limits      []TrendBound
}

// TrendBound is the least or the most that is allowed.
type TrendBound struct {
	At    float64
	Least bool
	Label string
}

// What a trend shows at most.
const (
	maxTrendDots  = 150
	maxTrendTicks = 8
	maxStepLabels = 3
	stepLabelRoom = 0.3 // of the plot, that a label takes
)

// NewTrend draws values, the oldest first; nil where none is known.
func NewTrend(label string, values []TrendValue, axis TrendAxis) *Trend {
	low, high := math.Inf(1), math.Inf(-1)
	for i := range values {
		if v := &values[i]; v.Known {
			low, high = min(low, v.Number), max(high, v.Number)
		}
	}
	if low > high {
		return nil
	}
	for _, b := range axis.Limits {
		low, high = min(low, b.At), max(high, b.At)
	}
	t := &Trend{Label: label, Dotted: len(values) <= maxTrendDots}
	low, high = t.scale(low, high, &axis)
	x := func(i int) float64 {
		if len(values) == 1 {
			return 0.5
		}
		return float64(i) / float64(len(values)-1)
	}
	y := func(n float64) float64 { return 1 - (n-low)/(high-low) }
	t.draw(values, &axis, x, y)
	t.mark(values, &axis, x)
	for _, b := range axis.Limits {
		limit := TrendLimit{Y: Along(y(b.At)), Label: b.Label, Aside: "1.2em"}
		if y(b.At) > 0.9 {
			limit.Aside = "-0.4em"
		}
		t.Limits = append(t.Limits, limit)
	}
	step := (len(values) + maxTrendTicks - 1) / maxTrendTicks
	last := ""
	for i := 0; i < len(values); i += step {
		if tick := values[i].Tick; tick != last {
			t.XTicks = append(t.XTicks, Tick{At: Along(x(i)), Label: tick, Minor: len(t.XTicks)%2 == 1})
			last = tick
		}
	}
	return t
}

// scale chooses the ends of the axis, on round numbers round the values, and its ticks.
func (t *Trend) scale(low, high float64, axis *TrendAxis) (least, most float64) {
	bounded := axis.Least < axis.Most && low >= axis.Least && high <= axis.Most
	if high == low {
		room := max(math.Abs(high)*0.05, 1)
		low, high = low-room, high+room
		if bounded {
			low, high = max(low, axis.Least), min(high, axis.Most)
		} else if low < 0 && high > 0 {
			low = 0
		}
	}
	unit := 1.0
	if axis.Bytes && high >= 1024 {
		unit = math.Pow(1024, math.Floor(math.Log2(high)/10))
	}
	step := stepOf((high - low) / unit / 4)
	least, most = math.Floor(low/unit/step)*step*unit, math.Ceil(high/unit/step)*step*unit
	if bounded {
		least, most = max(least, axis.Least), min(most, axis.Most)
	}
	for i := 0; ; i++ {
		at := least + float64(i)*step*unit
		if at > most+step*unit/1000 || i > 12 {
			break
		}
		t.YTicks = append(t.YTicks, Tick{At: Along(1 - (at-least)/(most-least)), Label: axis.Write(at)})
	}
	return least, most
}

// stepOf is a round number of at least so much.
func stepOf(least float64) float64 {
	decade := math.Pow10(int(math.Floor(math.Log10(least))))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if m*decade >= least {
			return m * decade
		}
	}
	return 10 * decade
}

// draw makes the line and its points.
func (t *Trend) draw(values []TrendValue, axis *TrendAxis, x func(int) float64, y func(float64) float64) {
	var line []byte
	end := func() {
		if len(line) > 0 {
			t.Lines = append(t.Lines, string(line))
		}
		line = nil
	}
	newest := -1
	for i := range values {
		v := &values[i]
		if !v.Known {
			end()
			continue
		}
		newest = len(t.Points)
		sign := "L"
		if line == nil {
			sign = "M"
		}
		line = append(line, sign+Decimal(1000*x(i))+" "+Decimal(1000*y(v.Number))...)
		p := TrendPoint{
			X: Along(x(i)), Y: Along(y(v.Number)), Title: v.Title, URL: v.URL, Compare: v.Compare, Step: v.Step != 0,
		}
		p.Worse, p.Better = sides(v.Step, axis.Better)
		for _, b := range axis.Limits {
			p.Missed = p.Missed || b.Least && v.Number < b.At || !b.Least && v.Number > b.At
		}
		t.Points = append(t.Points, p)
	}
	end()
	if newest >= 0 {
		t.Points[newest].Newest = true
	}
}

// sides says whether a change is for the worse or for the better.
func sides(change float64, better int) (worse, improved bool) {
	return change*float64(better) < 0, change*float64(better) > 0
}

// mark makes the bands of steps; the largest have labels, where these do not meet.
func (t *Trend) mark(values []TrendValue, axis *TrendAxis, x func(int) float64) {
	var at []int // of the steps, the largest first
	last := -1
	before := make([]int, len(values)) // the last point with a value before each
	for i := range values {
		before[i] = last
		if values[i].Known {
			last = i
		}
		if values[i].Step != 0 && before[i] >= 0 {
			at = append(at, i)
		}
	}
	labelled := map[int]bool{}
	bySize := slices.Clone(at)
	slices.SortStableFunc(bySize, func(a, b int) int {
		return cmp.Compare(math.Abs(values[b].Step), math.Abs(values[a].Step))
	})
	for _, i := range bySize {
		free := !slices.ContainsFunc(at, func(j int) bool { return labelled[j] && math.Abs(x(i)-x(j)) < stepLabelRoom })
		if free && len(labelled) < maxStepLabels {
			labelled[i] = true
		}
	}
	for _, i := range at {
		v := &values[i]
		from, to := x(before[i]), x(i)
		s := TrendStep{X: Along(from), Width: Along(to - from)}
		s.Worse, s.Better = sides(v.Step, axis.Better)
		if labelled[i] {
			s.Text, s.Note, s.TextX = v.StepText, v.StepNote, Along(to)
			if s.Left = to > 1-stepLabelRoom; s.Left && from > stepLabelRoom {
				s.TextX = Along(from)
			}
		}
		t.Steps = append(t.Steps, s)
	}
}
