package instrview

import (
	"proflens/internal/humanize"
	"proflens/profile/instrdb"
	"proflens/views/chart"
	"proflens/views/page"
)

// FunctionOrder is the page of temporal traces.
type FunctionOrder struct {
	page.List
	Says   string
	Files  []page.Download
	Traces []Trace
	More   string // traces that are not drawn
	Of     int    // traces
	Rows   []OrderRow
	Legend chart.HeatLegend
}

// Trace is one temporal trace, drawn.
type Trace struct {
	instrdb.TraceInfo
	Strip *chart.Strip // nil for an empty one
}

// OrderRow is a function at its place in the order.
type OrderRow struct {
	page.Selected
	*instrdb.PlacedFunction
	Name humanize.Name
	URL  string // empty when the profile has no record of it
	Bar  chart.Bar
}

// largestSize is the count of the size that was seen most often.
func largestSize(sums *instrdb.ValueSums) (most float64) {
	for _, c := range sums.Sizes {
		most = max(most, c.Count.Float64())
	}
	return most
}
