package projectview

import "proflens/views/page"

// The figures of projects that pages explain.
var (
	HowBuilds = page.How{Anchor: "builds", What: "a build"}
	HowStep   = page.How{Anchor: "step", What: "a step"}
	HowRuns   = page.How{Anchor: "runs", What: "a disagreement"}
	HowGate   = page.How{Anchor: "gate", What: "a rule"}
)

// Hows are all of them but those of measures.
var Hows = []page.How{HowBuilds, HowStep, HowRuns, HowGate}

// HowMeasures is about the measures of a family; without one, of any profile.
func HowMeasures(family string) page.How {
	if family == "" {
		return page.How{Anchor: "measures", What: "the measure"}
	}
	return page.How{Anchor: "measures-" + family, What: "the measure"}
}
