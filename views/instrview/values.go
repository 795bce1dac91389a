package instrview

import (
	"proflens/say"
	"proflens/views/chart"
	"proflens/views/page"
)

// Values is a page of the value sites of one kind, already formatted.
type Values struct {
	page.List
	Kinds []page.Segment // those that the profile has
	Title string
	Note  string // what the kind is, and how the sites stand
	Says  string // figures in a sentence

	Sizes []SizeRow // of memory operations, over all sites
	Rows  []ValueRow
	Held  string // what the shown rows hold
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
	page.Selected
	Place string // in the order, from 1
	Name  say.Name
	URL   string // the function's page
	CS    bool
	Index string
	Sum   say.Number
	Share string // of all counts of the kind
	Bar   chart.Bar
	// Values, and the count and share of the most frequent one.
	Distinct string
	Others   string // "+7"
	Top      say.Number
	TopShare string
	Targets  []Target // the most frequent; none where the site recorded nothing
}

// FunctionOrder is the page of temporal traces.
type FunctionOrder struct {
	page.List
	Says   string
	Files  []page.Download
	Traces []Trace
	More   string // traces that are not drawn
	Rows   []OrderRow
	Legend chart.HeatLegend
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
	page.Selected
	ID     string // anchor; empty without an address
	Place  string // from 1
	Name   say.Name
	URL    string // empty when the profile has no record of it
	First  string // earliest position over all traces
	Traces string // "2 of 3"
	Max    say.Number
	Bar    chart.Bar
}
