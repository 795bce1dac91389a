package analyze

import (
	"cmp"
	"math"
	"slices"
)

// RankCorrelation is Spearman's coefficient: how far two figures put the same things in the
// same order, from -1, the reverse, to 1. Equal figures share the mean of their places. It
// is false of fewer than two things, and where one figure is the same of all.
func RankCorrelation(a, b []float64) (float64, bool) {
	x, y := meanRanks(a), meanRanks(b)
	mean := float64(len(a)+1) / 2
	var both, ofX, ofY float64
	for i := range x {
		dx, dy := x[i]-mean, y[i]-mean
		both, ofX, ofY = both+dx*dy, ofX+dx*dx, ofY+dy*dy
	}
	if ofX == 0 || ofY == 0 {
		return 0, false
	}
	return both / math.Sqrt(ofX*ofY), true
}

// meanRanks are places from 1.
func meanRanks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	ranks := make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			ranks[i] = float64(from+1+to) / 2
		}
		from = to
	}
	return ranks
}
