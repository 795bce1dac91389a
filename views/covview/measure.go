// Package covview is the components of source coverage: files, lines, functions that
// never ran, conditions.
package covview

import (
	"proflens/analyze/coverage"
	"proflens/internal/humanize"
	"proflens/views/chart"
)

// Bar is how much of something ran, in coverage's colours: whole, in part, not.
type Bar struct {
	Ran, Reached string // widths: of what ran whole, and of that with what ran in part
	None         bool   // there is nothing of it
}

// BarOf draws a metric of which some is covered in part. What is not all never looks like all, and what is something
// never like nothing.
func BarOf(m coverage.Metric, partly int) Bar {
	if m.Total <= 0 {
		return Bar{None: true}
	}
	width := func(n int) string {
		switch {
		case n <= 0:
			return "0"
		case n >= m.Total:
			return "100%"
		}
		return chart.Decimal(min(max(100*float64(n)/float64(m.Total), 2), 98)) + "%"
	}
	return Bar{Ran: width(m.Covered - partly), Reached: width(m.Covered)}
}

// Share is a metric in percent, or a dash of nothing.
func Share(m coverage.Metric) string {
	if m.Total == 0 {
		return "–"
	}
	return humanize.Percent(float64(m.Covered)/float64(m.Total), 1)
}

// OfAll is a metric in numbers: "2 of 3".
func OfAll(m coverage.Metric) string { return humanize.Say("{} of {}", m.Covered, m.Total) }

// PartOf is a metric in numbers where there is little room: "2/3".
func PartOf(m coverage.Metric) string { return humanize.Say("{}/{}", m.Covered, m.Total) }

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
func Sign(s coverage.State) string { return [...]string{"", "○", "◐", ""}[s] }

// Class is what a state is called in classes.
func Class(s coverage.State) string { return [...]string{"", "no", "part", "ran"}[s] }

// StateWord says a state.
func StateWord(s coverage.State) string {
	return [...]string{"no code", "not covered", "partly", "covered"}[s]
}
