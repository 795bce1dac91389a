package chart

import (
	"math"
	"math/bits"

	"proflens/internal/humanize"
)

// Distribution is the chart of counters per power of two, zero apart.
// Everything is placed in percent of the plot.
type Distribution struct {
	Bars   []DistributionBar
	XTicks []Tick
	YTicks []Tick
	Hot    *HotLine
	Label  string // the chart in a sentence
}

// DistributionBar is one power of two, or zero.
type DistributionBar struct {
	X, Y, Width, Height string
	Step                int
	Zero                bool
	Clipped             bool   // the bar of zero is taller than the plot
	Range               string // "4 096–8 191"
	Counters, Says      string // how many, alone and in words
	Share               string // of all counters
}

// HotLine is the hot threshold in the distribution.
type HotLine struct {
	X, Label string
	Note     string // what reaches it
	More     string // the rest of the note, where there is room
	Left     bool   // the label stands to the left of the line
}

// HotNote is what the hot line says: how many of all counters reach the
// threshold, and the cutoff that sets it.
type HotNote struct{ Threshold, Reach, Counters uint64 }

// NewDistribution draws a histogram as store.Overview has it: [0] the counters
// that are 0, [i] those in 2^(i-1) .. 2^i-1. It returns nil when there is no
// counter at all.
func NewDistribution(histogram [65]uint64, heat Heat, hot HotNote) *Distribution {
	var all, highest uint64
	top := 8 // a bar is never wider than a ninth of the plot
	for i, n := range histogram {
		all += n
		if i > 0 {
			highest = max(highest, n)
			if n > 0 {
				top = max(top, i)
			}
		}
	}
	if all == 0 {
		return nil
	}
	if highest == 0 {
		highest = histogram[0]
	}
	// Where most counters are 0 the others would vanish beside them: the bar
	// of zero is cut off then and carries its number.
	zeroCut := histogram[0] > highest+highest/2
	scale := highest
	if !zeroCut {
		scale = max(scale, histogram[0])
	}
	d := &Distribution{Label: distributionLabel(histogram[0], all, top)}
	slots := float64(top) + 1.5 // half a slot keeps zero apart
	left := func(i int) float64 {
		if i == 0 {
			return 0
		}
		return (float64(i) + 0.5) / slots
	}
	if hot.Threshold > 0 {
		b := bits.Len64(hot.Threshold)
		at := left(b) + (math.Log2(float64(hot.Threshold))-float64(b-1))/slots
		d.Hot = newHotLine(at, hot)
		// The bars under its label leave two lines of room for it.
		for i := 1; i <= top; i++ {
			if d.Hot.covers(at, left(i), left(i)+1/slots) {
				scale = max(scale, uint64(float64(histogram[i])/hotLabelFloor))
			}
		}
	}
	ceiling := d.yAxis(scale)
	for i := 0; i <= top; i++ {
		n := histogram[i]
		bar := DistributionBar{
			X: Along(left(i) + 0.04/slots), Width: Along(0.92 / slots),
			Zero: i == 0, Range: powerRange(i), Counters: humanize.Int(n), Says: humanize.Plural(n, "counter"),
			Share: humanize.Percent(float64(n)/float64(all), 2),
		}
		height := float64(n) / ceiling
		if i == 0 {
			bar.Clipped = zeroCut
			height = min(height, 1)
		} else {
			bar.Step = max(heat.Step(uint64(math.Min(math.Ldexp(math.Sqrt2, i-1), 1<<63))), 1)
		}
		if n > 0 {
			height = max(height, 0.006)
		}
		bar.Y, bar.Height = Along(1-height), Along(height)
		d.Bars = append(d.Bars, bar)
	}
	d.xAxis(top, slots, left)
	return d
}

// hotLabelWidth is about how much of the plot the label of the hot line takes,
// and hotLabelFloor the height at which it ends.
const hotLabelWidth, hotLabelFloor = 0.5, 0.86

func newHotLine(at float64, hot HotNote) *HotLine {
	return &HotLine{
		X: Along(at), Label: "hot ≥ " + humanize.Count(hot.Threshold).Text,
		Note: humanize.Percent(float64(hot.Reach)/float64(max(hot.Counters, 1)), 1) + " of counters",
		More: ", 99 % of the count",
		Left: at > 1-hotLabelWidth,
	}
}

// covers says whether the label of a line at x stands over from … to.
func (h *HotLine) covers(x, from, to float64) bool {
	if h.Left {
		return to > x-hotLabelWidth && from < x
	}
	return to > x && from < x+hotLabelWidth
}

func distributionLabel(zero, all uint64, top int) string {
	return humanize.Say("{%} of {counter} are 0; the largest counter is in {}.", float64(zero)/float64(all), all,
		powerRange(top))
}

// powerRange is what bucket i of the histogram holds.
func powerRange(i int) string {
	switch i {
	case 0:
		return "0"
	case 1:
		return "1"
	}
	low := uint64(1) << (i - 1)
	return humanize.Say("{}–{}", low, low+(low-1))
}

// yAxis sets ticks at round numbers and returns the value at the top.
func (d *Distribution) yAxis(highest uint64) float64 {
	step := roundStep(float64(highest) / 3)
	n := math.Ceil(float64(highest) / step)
	ceiling := n * step
	if float64(highest) > 0.97*ceiling {
		ceiling *= 1.04 // the tallest bar stays clear of the frame
	}
	for i := n; i >= 0; i-- {
		d.YTicks = append(d.YTicks, Tick{At: Along(1 - i*step/ceiling), Label: humanize.AxisCount(uint64(i * step))})
	}
	return ceiling
}

// roundStep is the least of 1, 2, 2.5 and 5 times a power of ten that is at
// least v, and never below 1.
func roundStep(v float64) float64 {
	step := stepOf(max(v, 1))
	if step != math.Trunc(step) { // 2.5 is no number of counters
		step = stepOf(2 * step)
	}
	return step
}

func (d *Distribution) xAxis(top int, slots float64, left func(int) float64) {
	d.XTicks = append(d.XTicks, Tick{At: Along(0.5 / slots), Label: "0"})
	every := 1
	for _, e := range []int{1, 2, 3, 4, 5, 6, 8, 10} {
		if every = e; top/e <= 7 {
			break
		}
	}
	for i, n := 1, 0; i <= top; i, n = i+every, n+1 {
		d.XTicks = append(d.XTicks, Tick{
			At: Along(left(i) + 0.5/slots), Label: humanize.PowerOfTwo(i - 1), Minor: n%2 == 1 && top/every > 4,
		})
	}
}
