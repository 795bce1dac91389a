package analyze_test

import (
	"math"
	"testing"

	"proflens/analyze"
)

func TestRankCorrelation(t *testing.T) {
	for _, c := range []struct {
		a, b []float64
		want float64
		ok   bool
	}{
		{[]float64{1, 5, 9}, []float64{10, 20, 1000}, 1, true},
		{[]float64{1, 5, 9}, []float64{3, 2, 1}, -1, true},
		// The example of IQ and hours of television in Wikipedia's article on the coefficient.
		{
			[]float64{106, 100, 86, 101, 99, 103, 97, 113, 112, 110}, []float64{7, 27, 2, 50, 28, 29, 20, 12, 6, 17},
			-29.0 / 165, true,
		},
		{[]float64{1, 2, 2, 3}, []float64{1, 2, 3, 4}, math.Sqrt(0.9), true}, // two equals
		{[]float64{4, 4}, []float64{1, 2}, 0, false},
		{[]float64{4}, []float64{1}, 0, false},
		{nil, nil, 0, false},
	} {
		got, ok := analyze.RankCorrelation(c.a, c.b)
		if ok != c.ok || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v, %v: %v %v, want %v", c.a, c.b, got, ok, c.want)
		}
	}
}
