package page

// NewSpark draws the distribution of a profile's counters by magnitude, as
// store.Entry has it: a height of 0 to 255 a bar, small counters first.
func NewSpark(heights []byte) Shape {
	s := Shape{Label: "counters by magnitude, small ones first"}
	n := min(len(heights), ShapeWidth/4)
	for i, h := range heights[:n] {
		if h == 0 {
			continue
		}
		height := max(ShapeHeight*float64(h)/255, 1)
		s.Bars = append(s.Bars, ShapeBar{
			X: itoa(4 * i), Y: decimal(ShapeHeight - height), Height: decimal(height),
			Step: 1 + 8*i/n,
		})
	}
	return s
}
