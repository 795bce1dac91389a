package instrview

import (
	"proflens/say"
	"proflens/views/chart"
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
	Count say.Number
	Share string
	Bar   chart.Bar
}

// ValueRow is one value site.
type ValueRow struct {
	Place   string // in the order, from 1
	Name    say.Name
	URL     string // the function's page
	CS      bool
	Index   string
	Sum     say.Number
	Share   string // of all counts of the kind
	Bar     chart.Bar
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
	Legend chart.HeatLegend
	Empty  *page.Blank
}

// Trace is one temporal trace, drawn.
type Trace struct {
	ID    string // anchor
	Title string
	Says  string
	Strip *chart.Strip // nil for an empty one
}

// OrderRow is a function at its place in the order.
type OrderRow struct {
	Place  string // from 1
	Name   say.Name
	URL    string // empty when the profile has no record of it
	First  string // earliest position over all traces
	Traces string // "2 of 3"
	Max    say.Number
	Bar    chart.Bar
}
