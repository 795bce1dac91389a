package instrview

import (
	"proflens/say"
	"proflens/views/chart"
	"proflens/views/page"
)

// Bitmaps is the page of the functions with an MC/DC bitmap.
type Bitmaps struct {
	Says  string
	Modes []page.Segment
	CSV   string
	Rows  []BitmapRow
	Shown string
	Pager page.Pager
	Empty *page.Blank
}

// BitmapRow is one function with its bitmap.
type BitmapRow struct {
	Place string // in the order, from 1
	Name  say.Name
	URL   string // the function's page, at its bitmap
	Bytes string
	Set   string // bits
	Bits  string
	Share string
	Bar   chart.Bar
}
