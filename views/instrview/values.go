package instrview

import (
	"proflens/views/page"
)

// Values is a page of the value sites of one kind, already formatted.
type Values struct {
	Chips []page.Chip    // filters in force
	Kinds []page.Segment // those that the profile has
	Modes []page.Segment // how names are written; nil where there are none to choose
	Title string
	Note  string // what the kind is, and how the sites stand
	Says  string // figures in a sentence
	CSV   string

	Sizes []SizeRow // of memory operations, over all sites
	Rows  []ValueRow
	Shown string // "rows 1–100 of 311"
	Held  string // what the shown rows hold
	Pager page.Pager
	Empty *page.Blank
}

// SizeRow is one range of sizes.
type SizeRow struct {
	Label string // in words: "17–31 bytes"
	Title string
	Sites string
	Count page.Number
	Share string
	Bar   page.Bar
}

// ValueRow is one value site.
type ValueRow struct {
	Place   string // in the order, from 1
	Name    page.Name
	URL     string // the function's page
	CS      bool
	Index   string
	Sum     page.Number
	Share   string // of all counts of the kind
	Bar     page.Bar
	Targets []Target // the most frequent; none where the site recorded nothing
}

// FunctionOrder is the page of temporal traces.
type FunctionOrder struct {
	Says   string
	Files  []page.Download
	Traces []Trace
	More   string // traces that are not drawn
	Modes  []page.Segment
	CSV    string
	Rows   []OrderRow
	Shown  string
	Pager  page.Pager
	Legend page.HeatLegend
	Empty  *page.Blank
}

// Trace is one temporal trace, drawn.
type Trace struct {
	ID    string // anchor
	Title string
	Says  string
	Strip *page.Strip // nil for an empty one
}

// OrderRow is a function at its place in the order.
type OrderRow struct {
	Place  string // from 1
	Name   page.Name
	URL    string // empty when the profile has no record of it
	First  string // earliest position over all traces
	Traces string // "2 of 3"
	Max    page.Number
	Bar    page.Bar
}

// NewTraceStrip draws functions in the order in which they first ran, each as
// its largest counter; length is how many the trace has, of which maxima may be
// an even choice. It returns nil for none.
func NewTraceStrip(maxima []uint64, length int, heat page.Heat) *page.Strip {
	n := len(maxima)
	if n == 0 {
		return nil
	}
	buckets := min(n, page.StripBuckets)
	s := &page.Strip{Label: "largest counter of " + page.Plural(length, "function", "functions") + " in the order of the first run, log scale"}
	if buckets < length {
		s.Label += ", each bar the largest of about " + page.Int(length/buckets)
	}
	if n < length {
		s.Label += ", not all of which were looked at"
	}
	var largest uint64
	for _, m := range maxima {
		largest = max(largest, m)
	}
	for b := range buckets {
		var v uint64
		for _, m := range maxima[b*n/buckets : (b+1)*n/buckets] {
			v = max(v, m)
		}
		if v == 0 {
			continue
		}
		height, width := 100*page.LogHeight(v, largest, page.BarDoublings), 1000/float64(buckets)
		s.Bars = append(s.Bars, page.StripBar{
			X: page.Decimal(float64(b) * width), Y: page.Decimal(100 - height), Width: page.Decimal(width * 0.86), Height: page.Decimal(height), Step: heat.Step(v),
		})
	}
	return s
}
