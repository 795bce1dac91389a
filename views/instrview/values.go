package instrview

import (
	"proflens/internal/humanize"
	"proflens/views/chart"
	"proflens/views/page"
)

// SizeRow is one range of sizes.
type SizeRow struct {
	Label string // in words: "17–31 bytes"
	Title string
	Sites string
	Count humanize.Number
	Share string
	Bar   chart.Bar
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
	Name   humanize.Name
	URL    string // empty when the profile has no record of it
	First  string // earliest position over all traces
	Traces string // "2 of 3"
	Max    humanize.Number
	Bar    chart.Bar
}
