// Package covview is the components of source coverage: files, lines, functions that
// never ran, conditions.
package covview

import (
	"proflens/internal/humanize"
	"proflens/views/chart"
)

// Bar is how much of something ran, in coverage's colours: whole, in part, not.
type Bar struct {
	Ran, Reached string // widths: of what ran whole, and of that with what ran in part
	None         bool   // there is nothing of it
}

// NewBar draws counts. What is not all never looks like all, and what is something
// never like nothing.
func NewBar(covered, partly, total int) Bar {
	if total <= 0 {
		return Bar{None: true}
	}
	width := func(n int) string {
		switch {
		case n <= 0:
			return "0"
		case n >= total:
			return "100%"
		}
		return chart.Decimal(min(max(100*float64(n)/float64(total), 2), 98)) + "%"
	}
	return Bar{Ran: width(covered - partly), Reached: width(covered)}
}

// Share is a part of a whole in percent, or a dash of nothing.
func Share(covered, total int) string {
	if total == 0 {
		return "–"
	}
	return humanize.Percent(float64(covered)/float64(total), 1)
}

// Measure is one of the figures of a profile, a directory or a file.
type Measure struct {
	ID, Label string
	Percent   string
	Of        string // "15 392 of 19 890"
	Bar       Bar
	Goal      string // where the mark of the goal stands; empty for none
	Note, URL string
}

// Sign is the mark of a state beside its colour.
func Sign(state string) string {
	switch state {
	case No:
		return "○"
	case Part:
		return "◐"
	}
	return ""
}

// The states of lines, as classes of rows have them.
const (
	Ran  = "ran"
	Part = "part"
	No   = "no"
)

// StateWord says a state.
func StateWord(state string) string {
	switch state {
	case Ran:
		return "covered"
	case Part:
		return "partly"
	case No:
		return "not covered"
	}
	return "no code"
}
