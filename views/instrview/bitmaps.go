package instrview

import (
	"proflens/say"
	"proflens/views/chart"
	"proflens/views/page"
)

// Bitmaps is the page of the functions with an MC/DC bitmap.
type Bitmaps struct {
	page.List
	Says string
	Rows []BitmapRow
}

// BitmapRow is one function with its bitmap.
type BitmapRow struct {
	page.Selected
	Place string // in the order, from 1
	Name  say.Name
	URL   string // the function's page, at its bitmap
	Bytes string
	Set   string // bits
	Unset string // bits
	Share string
	Bar   chart.Bar
	Which string // bits are set: "0–3, 7"
}
