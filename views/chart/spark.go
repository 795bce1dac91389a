package chart

import "strconv"

// NewSpark draws a distribution by magnitude, as store.Entry has it: a height of
// 0 to 255 a bar, small ones first. What is the words for what is counted:
// "counters by magnitude".
func NewSpark(heights []byte, what string) Shape {
	s := Shape{Label: what + ", small ones first"}
	n := min(len(heights), ShapeWidth/4)
	for i, h := range heights[:n] {
		if h == 0 {
			continue
		}
		height := max(ShapeHeight*float64(h)/255, 1)
		s.Bars = append(s.Bars, ShapeBar{
			X: strconv.Itoa(4 * i), Y: Decimal(ShapeHeight - height), Height: Decimal(height),
			Step: 1 + 8*i/n,
		})
	}
	return s
}
