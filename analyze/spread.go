package analyze

import "math"

// Spread says how values of several sets differ: what dcpistats prints.
type Spread struct {
	Sum       float64
	Sets      int     // those with a value above 0
	Mean      float64 // over all sets
	Deviation float64 // standard, of a sample: ÷ (sets − 1)
	Min, Max  float64
	Range     float64 // max − min
	Share     float64 // range ÷ sum; 0 of nothing
}

// SpreadOf computes the spread of values, one of each set.
func SpreadOf(values []float64) Spread {
	if len(values) == 0 {
		return Spread{}
	}
	s := Spread{Min: values[0], Max: values[0]}
	for _, v := range values {
		s.Sum += v
		if v > 0 {
			s.Sets++
		}
		s.Min, s.Max = min(s.Min, v), max(s.Max, v)
	}
	s.Mean = s.Sum / float64(len(values))
	if len(values) > 1 {
		squares := 0.0
		for _, v := range values {
			squares += (v - s.Mean) * (v - s.Mean)
		}
		s.Deviation = math.Sqrt(squares / float64(len(values)-1))
	}
	s.Range = s.Max - s.Min
	if s.Sum > 0 {
		s.Share = s.Range / s.Sum
	}
	return s
}
