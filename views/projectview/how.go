package projectview

import "proflens/views/page"

// The figures of projects that pages explain.
const (
	HowBuilds page.How = "builds a build"
	HowStep   page.How = "step a step"
	HowRuns   page.How = "runs a disagreement"
	HowGate   page.How = "gate a rule"
)

// HowMeasures is about the measures of a family; without one, of any profile.
func HowMeasures(family string) page.How {
	if family != "" {
		family = "-" + family
	}
	return page.How("measures" + family + " the measure")
}
