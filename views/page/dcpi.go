package page

// Samples is a page of DCPI's samples: a selection, and a table of what it
// holds.
type Samples struct {
	ID        string // data-testid of the table
	Title     string
	Says      string
	Notes     []string
	Selection SampleSelection
	Switches  []Switch
	CSV       string
	Series    *SeriesChart // the table's rows as lines; nil for none
	Table     SampleTable
	Shown     string
	Pager     Pager
	Empty     *Blank
}

// Switch is a choice between ways to show the same samples.
type Switch struct {
	Label    string
	Segments []Segment
}

// SampleSelection is the form that chooses profiles.
type SampleSelection struct {
	Action  string
	Search  bool // with a field for names
	Query   string
	Selects []SampleSelect
	Keep    []Hidden
	Chips   []Chip
	Clear   string
}

// SampleSelect is one field of the form.
type SampleSelect struct {
	Name, Label string
	Options     []Option
}

// SampleTable is a table whose columns depend on the selection.
type SampleTable struct {
	ID, Caption string
	Heads       []Head
	Rows        []SampleRow
}

// SampleRow is a row of it.
type SampleRow struct{ Cells []SampleCell }

// SampleCell is a cell: text, which may lead somewhere, or a share with a bar.
type SampleCell struct {
	Text, Title, URL string
	Name             bool // heads the row
	Number           bool
	Dim              bool
	Bar              *Bar
	Change           *Change
}

// HeatMap is the page of an image's text as cells.
type HeatMap struct {
	Samples
	Crumbs  []Crumb
	Picture HeatPicture
}

// HeatPicture is a part of an image's text as rows of cells.
type HeatPicture struct {
	Width  string // of the drawing, in units
	Height string
	Cells  []HeatCell
	Rows   []Tick // addresses of rows, down
	Row    string // bytes of a row
	From   string // addresses of the picture
	To     string
	Legend []int // steps of the ramp
	Least  string
	Most   string // with its unit
	Label  string // the picture in a sentence
}

// HeatCell is a cell with samples.
type HeatCell struct {
	X, Y, Size string
	Step       int
	URL        string // relative to the page of the heat map
	Label      string
}

// DCPIOverview is the first page of a database of samples.
type DCPIOverview struct {
	Overview   // tiles, notes, findings, file card
	Procedures SampleTable
	Images     SampleTable
	Epochs     SampleTable
	Platforms  SampleTable
	Heat       *HeatPicture // of the hottest image
	HeatTitle  string
	HeatURL    string
	ProcedureURL,
	ImageURL,
	EpochURL string
	Headers     []DCPIHeader
	MoreHeaders string // "12 more"; empty when all are shown
	HeadersURL  string // of all, as a table
}

// DCPIHeader is the header of one profile.
type DCPIHeader struct {
	Title string
	Facts []Fact
	Lines []DCPILine
}

// DCPILine is a line of it.
type DCPILine struct{ Key, Value, Kind string }
