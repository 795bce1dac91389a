package page

// Bitmaps is the page of the functions with an MC/DC bitmap.
type Bitmaps struct {
	Says  string
	Modes []Segment
	CSV   string
	Rows  []BitmapRow
	Shown string
	Pager Pager
	Empty *Blank
}

// BitmapRow is one function with its bitmap.
type BitmapRow struct {
	Place string // in the order, from 1
	Name  Name
	URL   string // the function's page, at its bitmap
	Bytes string
	Set   string // bits
	Bits  string
	Share string
	Bar   Bar
}

// BinaryIDs is the page of the build ids of the profiled programs.
type BinaryIDs struct {
	Says  string
	CSV   string
	Rows  []BinaryID
	Pager Pager
	Empty *Blank
}

// BinaryID is one build id.
type BinaryID struct{ Place, ID, Bytes string }
