package chart

// Cover is how much of something ran: none of it, part of it, or all. It is drawn
// with patterns and signs besides colours, which are none of heat's.
type Cover struct {
	Width string // of the part that ran, in a track of 100 units
	Sign  string // ○, ◐ or ●
	Word  string // not covered, partly covered, covered
}

// NewCover is the cover of a part from 0 to 1. What is not all never looks like all,
// and what is something never like nothing.
func NewCover(part float64) Cover {
	switch {
	case part <= 0:
		return Cover{Width: "0", Sign: "○", Word: "not covered"}
	case part >= 1:
		return Cover{Width: "100", Sign: "●", Word: "covered"}
	}
	return Cover{Width: Decimal(min(max(100*part, 2), 98)), Sign: "◐", Word: "partly covered"}
}

// Along is the width as a coordinate.
func (c Cover) Along() string { return c.Width + "%" }
