package sampleview

import "proflens/views/page"

// What figures of sample profiles lead to in the methods.
var (
	HowTotal    = page.NewHow("sample-total", "a total")
	HowBody     = page.NewHow("sample-body", "a number of own samples")
	HowHot      = page.NewHow("sample-hot", "hot and cold")
	HowLost     = page.NewHow("sample-lost", "the lost share")
	HowCalls    = page.NewHow("sample-calls", "a number of calls")
	HowQuality  = page.NewHow("sample-quality", "a check")
	HowLines    = page.NewHow("sample-lines", "a line")
	HowFlame    = page.NewHow("sample-flame", "the width of a frame")
	HowCompared = page.NewHow("sample-compared", "a difference")
)
