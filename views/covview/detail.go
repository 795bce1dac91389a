package covview

import (
	"strconv"
	"strings"

	"proflens/analyze/coverage"
)

// Bounds of what unfolds.
const (
	MaxVectors = 24
	MaxHeads   = 16 // conditions of a decision that have a column
)

// Detail is what unfolds under a line: one of its members is set.
type Detail struct {
	Conditions []Sides
	Decision   *Decision
	Expansion  *Expansion
	Instances  *Instances
}

// Decision is a table of MC/DC.
type Decision struct {
	*coverage.Decision        // of the functions that have it, that with the most pairs
	Functions          int    // that have it
	Text               string // of the source
}

// Expansion is what a macro or an include stands for.
type Expansion struct {
	coverage.Expansion        // of the functions that have it, that which ran most
	Functions          int    // that have it
	Text               string // of the source
	Place              string // "memory/SharedPtr.hpp:34"
	URL                string
	Lines              []Line
	More               string
}

// Instances are functions that begin at one place.
type Instances struct {
	Line uint32     // where they begin
	Ran  int        // the first of List
	List []Instance // those that ran most first
}

// Instance is one of them.
type Instance struct {
	*coverage.Function
	Sum         coverage.Summary
	Short, Full string // its name without what all have, and all of it
}

const (
	maxInstances = 20 // that ran
	maxNevers    = 5  // instances that did not
)

// mcdc is how many of an instance's conditions were shown to matter.
func (i *Instance) mcdc() string {
	switch {
	case i.Sum.MCDC.Total > 0:
		return PartOf(i.Sum.MCDC)
	case len(i.Decisions) > 0:
		return "constant"
	}
	return "–"
}

// tag is how many of a decision's conditions were shown to matter.
func (d *Decision) tag() string {
	m := d.Metric()
	if m.Total == 0 {
		return "MC/DC constant"
	}
	return "MC/DC " + OfAll(m)
}

// WantedSays says what a vector would show that is missing.
func WantedSays(all []coverage.Wanted, i int) string {
	w := &all[i]
	c := "C" + strconv.Itoa(w.Condition+1)
	switch {
	case w.With > 0:
		return "with " + strconv.Itoa(w.With) + ": " + c + " alone decides"
	case i > 0 && all[i-1].Condition == w.Condition:
		return "with the one above: " + c + " alone decides"
	}
	return "half of a pair for " + c
}

// ranSays says which pairs a vector makes that was seen.
func ranSays(d *Decision, wanted []coverage.Wanted, i int) string {
	var says, base []string
	for c := range d.Conditions {
		if pair := d.Conditions[c].Pair; pair[1] == i+1 {
			says = append(says, "with "+strconv.Itoa(pair[0])+": C"+strconv.Itoa(c+1)+" alone decides")
		}
	}
	for at := range wanted {
		if wanted[at].With == i+1 {
			base = append(base, "C"+strconv.Itoa(wanted[at].Condition+1))
		}
	}
	if len(base) > 0 {
		says = append(says, "half of a pair for "+strings.Join(base, ", "))
	}
	return strings.Join(says, "; ")
}

// Truth is a result in a letter.
func Truth(b bool) string {
	if b {
		return "T"
	}
	return "F"
}

// ValueText is a condition's value in a letter, or what stands for none.
func ValueText(v coverage.Value, none string) string {
	return [...]string{none, "F", "T"}[v]
}
