package store

import (
	"math"

	"proflens/analyze"
)

// curvePoints is about how many points the cumulative-share curve has.
const curvePoints = 200

// rankCurve fills in what needs the ranks: the cumulative-share curve and how
// few records hold 90 % and 99 % of the total.
func (c *collection) rankCurve(o *Overview, ranked []uint32) {
	o.Curve = nil
	if o.Total.IsZero() {
		return
	}
	whole := o.Total.Float64()
	var sum analyze.Sum
	next := 1
	for i, index := range ranked {
		sum.AddSum(c.records.at(index).Total)
		n, share := i+1, sum.Float64()/whole
		if o.Hot90 == 0 && share >= 0.90 {
			o.Hot90 = n
		}
		if o.Hot99 == 0 && share >= 0.99 {
			o.Hot99 = n
		}
		if n == next || n == len(ranked) {
			o.Curve = append(o.Curve, CurvePoint{n, share})
			step := math.Pow(float64(len(ranked)), 1.0/curvePoints)
			next = max(n+1, int(math.Ceil(float64(n)*step)))
		}
	}
}
