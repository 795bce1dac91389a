package page

import (
	"math"

	"proflens/internal/humanize"
	"proflens/views/chart"
)

// Change is a difference with its sign, drawn from the middle of a bar of 100.
type Change struct {
	Text  string // "+1.20"
	Word  string // more, less, same; better, worse
	X     string
	Width string
}

// NewChange writes a difference of shares in percentage points; largest fills its
// half of the bar.
func NewChange(difference, largest float64, decimals int) Change {
	return ChangeBarOf(difference, largest, humanize.Points(difference, decimals))
}

// ChangeBarOf draws a difference beside its text; largest fills its half of the bar.
func ChangeBarOf(difference, largest float64, text string) Change {
	c := Change{Word: "same", Text: text, X: "50", Width: "0"}
	size := math.Abs(difference)
	if size == 0 || math.IsNaN(difference) {
		return c
	}
	width := 50.0
	if largest > 0 {
		width = max(50*min(size/largest, 1), 1)
	}
	c.Word, c.Width = "more", chart.Decimal(width)
	if difference < 0 {
		c.Word, c.X = "less", chart.Decimal(50-width)
	}
	return c
}
