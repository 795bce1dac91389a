package dcpiview

import (
	"proflens/views/chart"
	"proflens/views/page"
)

// Samples is what stands over a table of DCPI's samples.
type Samples struct {
	Switches  []Switch
	Selection SampleSelection
	Notes     []string
	Series    *chart.SeriesChart // the table's rows as lines; nil for none
}

// Switch is a choice between ways to show the same samples.
type Switch struct {
	Label    string
	Segments []page.Segment
}

// SampleSelection is the form that chooses profiles.
type SampleSelection struct {
	Action  string
	Selects []SampleSelect
	Keep    []page.Hidden
}

// SampleSelect is one field of the form.
type SampleSelect struct {
	Name, Label string
	Options     []page.Option
}

// SampleTable is some rows in a panel.
type SampleTable = page.Grid

// HeatMap is the page of an image's text as cells.
type HeatMap struct {
	Samples
	Crumbs  []page.Link
	Picture *HeatPicture // nil where there are no samples
}

// HeatPicture is a part of an image's text as rows of cells.
type HeatPicture struct {
	Width  string // of the drawing, in units
	Height string
	Cells  []HeatCell
	Rows   []chart.Tick // addresses of rows, down
	Names  []HeatName   // of the procedures that rows are mostly of; nil where Bands say more
	Bands  []HeatBand   // procedures that stretch over several cells; nil at coarser sizes
	Row    string       // bytes of a row
	From   string       // addresses of the picture
	To     string
	Legend []int // steps of the ramp
	Least  string
	Most   string // with its unit
	Label  string // the picture in a sentence
}

// HeatName names a row by the procedure of its hottest cell.
type HeatName struct{ At, Name, Title, URL string }

// HeatBand is a procedure's cells in one row: a line above them, and its name where it
// has room. Places are per cents.
type HeatBand struct {
	X, Y, Width, Height, Name, Title, URL string
	Again                                 bool // it goes on from the row above
}

// HeatCell is a cell with samples.
type HeatCell struct {
	X, Y, Size string
	Step       int
	URL        string // relative to the page of the heat map
	Label      string
}

// Overview is the first page of a database of samples.
type Overview struct {
	page.Overview // tiles, notes, findings, file card
	Procedures    SampleTable
	Images        SampleTable
	Epochs        SampleTable
	Platforms     SampleTable
	Heat          *HeatPicture // of the hottest image
	HeatTitle     string
	HeatURL       string
	ProcedureURL,
	ImageURL,
	EpochURL string
	Headers     []Header
	MoreHeaders string // "12 more"; empty when all are shown
	HeadersURL  string // of all, as a table
}

// Header is the header of one profile.
type Header struct {
	Title string
	Facts page.Facts
	Lines []Line
}

// Line is a line of it.
type Line struct{ Key, Value, Kind string }
