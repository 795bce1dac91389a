package chart

import "math"

// maxSteps is how many marks a scale has at most, that at 0 among them.
const maxSteps = 6

// Steps are the marks of a scale from 0 to the largest value: round numbers, of bytes
// in powers of 1024.
func Steps(largest float64, bytes bool) []float64 {
	if !(largest > 0) || math.IsInf(largest, 0) {
		return []float64{0}
	}
	unit := 1.0
	if bytes {
		unit = math.Pow(1024, max(math.Floor(math.Log2(largest)/10), 0))
	}
	step := math.Pow10(int(math.Floor(math.Log10(largest/unit))) - 1)
	for _, factor := range []float64{1, 2, 5, 10, 20, 50} {
		if largest/unit/(step*factor) < maxSteps {
			step *= factor
			break
		}
	}
	var list []float64
	for i := 0; float64(i)*step*unit <= largest*(1+1e-9); i++ {
		list = append(list, float64(i)*step*unit)
	}
	return list
}
