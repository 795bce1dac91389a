package page

import (
	"math"

	"proflens/say"
	"proflens/views/chart"
)

// Change is a difference with its sign, drawn from the middle of a bar of 100.
type Change struct {
	Text  string // "+1.20 %"
	Word  string // more, less, same
	X     string
	Width string
}

// NewChange writes a difference of shares; largest fills its half of the bar.
func NewChange(difference, largest float64) Change {
	c := Change{Word: "same", Text: say.Percent(0, 2), X: "50", Width: "0"}
	size := math.Abs(difference)
	if size == 0 || math.IsNaN(difference) {
		return c
	}
	width := 50.0
	if largest > 0 {
		width = max(50*min(size/largest, 1), 1)
	}
	c.Word, c.Text, c.Width = "more", "+"+say.Percent(size, 2), chart.Decimal(width)
	if difference < 0 {
		c.Word, c.Text, c.X = "less", "−"+say.Percent(size, 2), chart.Decimal(50-width)
	}
	return c
}
