package page

// Shape is a sparkline of a record's counters in order, at most 24 bars in a
// box of ShapeWidth by ShapeHeight.
type Shape struct {
	Bars  []ShapeBar
	Label string
}

// ShapeBar is one bar of a sparkline.
type ShapeBar struct {
	X, Y, Height string
	Step         int
}

// The box of a sparkline: bars of 3 with a gap of 1.
const (
	ShapeWidth  = 96
	ShapeHeight = 16
)

// shapeDoublings is fewer than a bar's: a sparkline shows contrast, not values.
const shapeDoublings = 12

// NewShape draws a shape as store.FunctionRow has it. A bucket of zero has no bar.
func NewShape(shape []uint64, counters uint32, heat Heat) Shape {
	s := Shape{Label: Plural(counters, "counter", "counters") + " in order, log scale"}
	var largest uint64
	for _, v := range shape {
		largest = max(largest, v)
	}
	for i, v := range shape {
		if v == 0 {
			continue
		}
		height := max(ShapeHeight*logHeight(v, largest, shapeDoublings), 1)
		s.Bars = append(s.Bars, ShapeBar{
			X: itoa(4 * i), Y: decimal(ShapeHeight - height), Height: decimal(height), Step: heat.Step(v),
		})
	}
	return s
}
