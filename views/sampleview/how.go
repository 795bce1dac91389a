package sampleview

import "proflens/views/page"

// What figures of sample profiles lead to in the methods.
var (
	HowTotal    = page.How{Anchor: "sample-total", What: "a total"}
	HowBody     = page.How{Anchor: "sample-body", What: "a number of own samples"}
	HowHot      = page.How{Anchor: "sample-hot", What: "hot and cold"}
	HowLost     = page.How{Anchor: "sample-lost", What: "the lost share"}
	HowCalls    = page.How{Anchor: "sample-calls", What: "a number of calls"}
	HowQuality  = page.How{Anchor: "sample-quality", What: "a check"}
	HowLines    = page.How{Anchor: "sample-lines", What: "a line"}
	HowFlame    = page.How{Anchor: "sample-flame", What: "the width of a frame"}
	HowCompared = page.How{Anchor: "sample-compared", What: "a difference"}
)

// Hows are all of them.
var Hows = []page.How{HowTotal, HowBody, HowHot, HowLost, HowCalls, HowQuality, HowLines, HowFlame, HowCompared}
