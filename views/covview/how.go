package covview

import "proflens/views/page"

// The figures of coverage that pages explain.
const (
	HowTotals page.How = "cov-totals a total of coverage"
	HowLines  page.How = "cov-lines the state of a line"
	HowMCDC   page.How = "cov-mcdc a condition's pair"

	HowCompared page.How = "cov-compared a difference"
)
