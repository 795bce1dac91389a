package projectview

import "proflens/views/page"

// The figures of projects that pages explain.
var (
	HowBuilds = page.NewHow("builds", "a build")
	HowStep   = page.NewHow("step", "a step")
	HowRuns   = page.NewHow("runs", "a disagreement")
	HowGate   = page.NewHow("gate", "a rule")
)

// HowMeasures is about the measures of a family; without one, of any profile.
func HowMeasures(family string) page.How {
	if family == "" {
		return page.NewHow("measures", "the measure")
	}
	return page.How{Anchor: "measures-" + family, What: "the measure"}
}
