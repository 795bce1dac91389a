package builds

import (
	"math"
	"slices"
)

// How a step is told from noise. The level before is the median of so many builds, that
// after too, as far as there are; the step is the change from one to the other, and has to
// be so many times the usual change between the builds around, and so much of the level.
const (
	stepReach  = 5
	stepTimes  = 6
	stepLeast  = 0.005
	stepAround = 12 // builds, either way
	stepBuilds = 3  // at least: of two, nothing says how much change is usual
)

// mark finds the steps: builds with which the level of a trend moved, and stayed.
func (t *Trend) mark() {
	var at []int // points with a value
	for i := range t.Points {
		if t.Points[i].Known {
			at = append(at, i)
		}
	}
	if len(at) < stepBuilds {
		return
	}
	values, changes := make([]float64, len(at)), make([]float64, len(at))
	for i, n := range at {
		if values[i] = t.Points[n].Number; i > 0 {
			changes[i] = values[i] - values[i-1]
		}
	}
	moved := make([]float64, len(values))
	for i := 1; i < len(values); i++ {
		before, after := median(values[max(0, i-stepReach):i]), median(values[i:min(len(values), i+stepReach)])
		least := max(stepTimes*usual(changes, i), stepLeast*math.Abs(before))
		if math.Abs(after-before) > least && math.Abs(changes[i]) > least && (changes[i] > 0) == (after > before) {
			moved[i] = changes[i]
		}
	}
	for i, n := range at {
		if moved[i] != 0 && largest(moved, i) {
			t.Points[n].Step = moved[i]
		}
	}
}

// usual is the median size of the changes around one, without it.
func usual(changes []float64, at int) float64 {
	var around []float64
	for i := max(1, at-stepAround); i < min(len(changes), at+stepAround+1); i++ {
		if i != at {
			around = append(around, math.Abs(changes[i]))
		}
	}
	return median(around)
}

// largest reports whether a move is the largest of its direction around: one step is
// marked once.
func largest(moved []float64, at int) bool {
	for i := max(0, at-stepReach+1); i < min(len(moved), at+stepReach); i++ {
		if i == at || moved[i] > 0 != (moved[at] > 0) {
			continue
		}
		if a, b := math.Abs(moved[i]), math.Abs(moved[at]); a > b || a == b && i < at {
			return false
		}
	}
	return true
}

// median is the middle of some values, the lower of two; 0 of none.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[(len(sorted)-1)/2]
}
