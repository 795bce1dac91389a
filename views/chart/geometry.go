// Package chart draws as SVG what pages show as pictures: bars, curves, treemaps,
// flame graphs, heat maps. It works out places and sizes, and knows no profiles.
package chart

import (
	"strconv"
	"strings"
)

// Tick is a labelled position on an axis.
type Tick struct {
	At    string // along the axis: "12.5%"
	Label string
	Minor bool // dropped where the chart is narrow
}

// Decimal writes a coordinate with at most two decimals.
func Decimal(v float64) string {
	s := strconv.FormatFloat(v, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// Along writes a fraction of a chart's width or height as a coordinate.
func Along(fraction float64) string { return Decimal(100*fraction) + "%" }

// fourDigits writes a share for scripts, which need no more than a crosshair shows.
func fourDigits(share float64) string { return strconv.FormatFloat(share, 'f', 4, 64) }
