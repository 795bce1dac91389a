package chart

import "math"

// HeatSteps is the number of steps of the heat ramp, 0 for nothing.
const HeatSteps = 9

// Heat maps counts to steps of the heat ramp on a log scale: 0 for zero, 1 up
// to the cold threshold, 2 to 5 between the thresholds, 6 to 8 from the hot
// threshold to the largest count. Without thresholds the scale runs evenly
// from 1 to the largest count.
type Heat struct{ cold, hot, max float64 }

// NewHeat makes the scale of a profile. A hot threshold of 0 means there is none.
func NewHeat(cold, hot, largest uint64) Heat {
	return Heat{cold: float64(cold), hot: float64(hot), max: float64(max(largest, hot))}
}

// Step is the step of a count, 0 to 8.
func (h Heat) Step(count uint64) int {
	v := float64(count)
	switch {
	case count == 0:
		return 0
	case h.hot == 0:
		return 1 + between(v, 1, h.max, 8)
	case v >= h.hot:
		return 6 + between(v, h.hot, h.max, 3)
	case v <= h.cold:
		return 1
	}
	return 2 + between(v, math.Max(h.cold, 1), h.hot, 4)
}

// SpanStep is the step of a value, 1 to 8, on a log scale from the least to the
// largest of a picture.
func SpanStep(v, least, largest float64) int { return 1 + between(v, least, largest, 8) }

// between divides low..high into n parts of equal ratio and says in which v stands.
func between(v, low, high float64, n int) int {
	if high <= low {
		return n - 1
	}
	part := int(float64(n) * math.Log(v/low) / math.Log(high/low))
	return min(max(part, 0), n-1)
}

// ShareStep is the step of a share: 8 for the largest share of its table, and
// one less with each halving, never below 1.
func ShareStep(share, largest float64) int {
	if share <= 0 || largest <= 0 {
		return 0
	}
	return min(max(8+int(math.Floor(math.Log2(share/largest)+0.5)), 1), 8)
}

// Bar is a horizontal bar in a track: how far it reaches, and its heat.
type Bar struct {
	Width string // of a track of 100 units
	Step  int
}

// ShareBar is the bar of a share, full for the largest of its table.
func ShareBar(share, largest float64) Bar {
	if share <= 0 || largest <= 0 {
		return Bar{Width: "0"}
	}
	return Bar{Width: Decimal(max(100*min(share/largest, 1), 1)), Step: ShareStep(share, largest)}
}

// BarDoublings is how many halvings of the largest count a log bar shows.
const BarDoublings = 20

// LogBar is the bar of a count on a log scale: full for the largest, and a
// twentieth less with each halving. What is above zero is never empty.
func LogBar(count, largest uint64, heat Heat) Bar {
	return Bar{Width: Decimal(100 * LogHeight(count, largest, BarDoublings)), Step: heat.Step(count)}
}

// LogHeight places a count between 0 and 1: 1 for the largest, and 1/doublings
// less with each halving, at least 0.04 when the count is not 0.
func LogHeight(count, largest uint64, doublings float64) float64 {
	if count == 0 {
		return 0
	}
	if count >= largest {
		return 1
	}
	return max(1+math.Log2(float64(count)/float64(largest))/doublings, 0.04)
}
