package covview

import "proflens/views/page"

// The figures of coverage that pages explain.
var (
	HowTotals = page.How{Anchor: "cov-totals", What: "a total of coverage"}
	HowLines  = page.How{Anchor: "cov-lines", What: "the state of a line"}
	HowMCDC   = page.How{Anchor: "cov-mcdc", What: "a condition's pair"}

	HowCompared = page.How{Anchor: "cov-compared", What: "a difference"}
)

// Hows are all of them.
var Hows = []page.How{HowTotals, HowLines, HowMCDC, HowCompared}
