package analyze

import (
	"math"
	"math/bits"
)

// CurvePoint says that the first N records hold a share of the total, 0 to 1.
type CurvePoint struct {
	N     int     `api:"n" doc:"Number of functions in the default order."`
	Share float64 `api:"share"`
}

// Curve tells how few records hold how much of the total.
type Curve struct {
	// Points stand at about 200 values of N spread evenly over log N, the
	// first record and the last among them. There are none without records.
	Points []CurvePoint
	// Hot90 and Hot99 are the least N whose share reaches 90 % and 99 %; 0
	// when the total is 0.
	Hot90, Hot99 int
}

// curvePoints is how many points a curve is sampled at.
const curvePoints = 200

// curveOf accumulates n records; total gives their totals, which must descend.
func curveOf(n int, total func(i int) Sum) Curve {
	var whole Sum
	for i := range n {
		whole.AddSum(total(i))
	}
	var c Curve
	var cum Sum
	at := sampler{n: n}
	for i := range n {
		cum.AddSum(total(i))
		if c.Hot90 == 0 && reaches(cum, whole, 90) {
			c.Hot90 = i + 1
		}
		if c.Hot99 == 0 && reaches(cum, whole, 99) {
			c.Hot99 = i + 1
		}
		if at.takes(i + 1) {
			c.Points = append(c.Points, CurvePoint{i + 1, share(cum, whole)})
		}
	}
	if whole.IsZero() {
		c.Hot90, c.Hot99 = 0, 0
	}
	return c
}

// share is part/whole, 0 when the whole is nothing.
func share(part, whole Sum) float64 {
	if whole.IsZero() {
		return 0
	}
	return part.Float64() / whole.Float64()
}

// reaches reports, exactly, whether part is at least percent % of whole.
func reaches(part, whole Sum, percent uint64) bool {
	return part.times(100).Compare(whole.times(percent)) >= 0
}

// times multiplies by a small number. The result is right below 2^128, which
// would take 2^57 records to reach.
func (s Sum) times(n uint64) Sum {
	hi, lo := bits.Mul64(s.Lo, n)
	return Sum{s.Hi*n + hi, lo}
}

// sampler picks numbers out of 1 .. n: the first, the last, and between them
// those that come next on a logarithmic scale.
type sampler struct {
	n, step, next int
}

// takes reports whether i is picked; i must ascend.
func (s *sampler) takes(i int) bool {
	if i < s.next && i < s.n {
		return false
	}
	for s.next <= i {
		if s.step == curvePoints {
			s.next = math.MaxInt
			break
		}
		s.next = int(math.Round(math.Pow(float64(s.n), float64(s.step)/(curvePoints-1))))
		s.step++
	}
	return true
}
