package covview

import "proflens/views/page"

// The figures of coverage that pages explain.
var (
	HowTotals = page.NewHow("cov-totals", "a total of coverage")
	HowLines  = page.NewHow("cov-lines", "the state of a line")
	HowMCDC   = page.NewHow("cov-mcdc", "a condition's pair")

	HowCompared = page.NewHow("cov-compared", "a difference")
)
