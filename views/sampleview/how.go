package sampleview

import "proflens/views/page"

// What figures of sample profiles lead to in the methods.
const (
	HowTotal    page.How = "sample-total a total"
	HowBody     page.How = "sample-body a number of own samples"
	HowHot      page.How = "sample-hot hot and cold"
	HowLost     page.How = "sample-lost the lost share"
	HowCalls    page.How = "sample-calls a number of calls"
	HowQuality  page.How = "sample-quality a check"
	HowLines    page.How = "sample-lines a line"
	HowFlame    page.How = "sample-flame the width of a frame"
	HowCompared page.How = "sample-compared a difference"
)
