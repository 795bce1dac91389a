package page

// MIPOverview is the first page of a Machine IR Profile, already formatted.
type MIPOverview struct {
	Overview                                // tiles, notes, findings, file card
	Timeline                  *Plot         // bytes of code by functions first run; nil without timestamps
	Start                     []TimelineRow // the same as a table
	Coverage                  []MIPShareRow // namespaces with the most bytes
	Dead                      []MIPShareRow // the largest functions that never ran
	Hot                       []MIPShareRow // functions with the most calls
	TreeURL, DeadURL, CallURL string
	OrderURL                  string
}

// TimelineRow is a point of the timeline.
type TimelineRow struct{ Functions, Bytes string }

// MIPShareRow is a line of a short list: a name, a figure, a part.
type MIPShareRow struct {
	Name  *Name  // of a function; nil for a namespace
	Label string // of a namespace
	Plain bool   // Label is a description, not a name
	URL   string
	Value Number
	Share string
	Bar   Bar
}

// MIPFunctions is a table of functions of machine IR: all, those that never ran,
// or by calls.
type MIPFunctions struct {
	Title   string
	Lead    string   // what the page is for; may be empty
	Says    string   // figures of those that match
	Notes   []string // what to know of them
	Orders  []Segment
	Action  string
	Chips   []Chip
	Clear   string
	Filter  MIPFilter
	Quick   []Hidden
	Modes   []Segment
	Columns ColumnMenu
	CSV     string
	Sums    []MIPSums // of those that never ran

	Heads      []Head
	How        How
	Rows       []MIPFunctionRow
	Status     Status
	Pager      Pager
	Incomplete *Incomplete
	Empty      *Blank
}

// MIPFilter is every filter as a form.
type MIPFilter struct {
	Q, Re, Path, Namespace string
	Executed, Saturated    []Option // nil where the page fixes it
	Runs                   []RangeField
	Ranges                 []RangeField
	Keep                   []Hidden
}

// MIPSums is what never ran, added up.
type MIPSums struct {
	ID, Title, Says string
	Rows            []MIPShareRow
	URL             string // the whole tree
}

// MIPFunctionRow is one function.
type MIPFunctionRow struct {
	ID, URL   string
	Name      Name
	Executed  bool
	Size      Number
	Covered   string // bytes
	Share     string // of its bytes
	Bar       Bar
	Missed    Number
	Blocks    string // "3 of 10"
	Removed   string
	Merges    string
	Calls     Number
	Saturated bool
	Weight    Number
	First     string
	Address   string
	Signature string
	CFG       string
	Path      string
	Index     string
}

// MIPFunction is everything about one function of machine IR.
type MIPFunction struct {
	Function // its name and the addresses of what is around
	Tiles    []Tile
	Facts    []Fact
	Notes    []string
	Ruler    *ByteRuler
	RulerSay string
	Blocks   []MIPBlockRow
	Range    string
	Pager    Pager
	Runs     []MIPFunctionRun
	RunsSay  string
	Twins    []Neighbour
	JSON     string
}

// MIPBlockRow is one block.
type MIPBlockRow struct {
	Index  string // "entry" for the first
	Offset string
	Size   string
	State  string // covered, not covered, removed
	Tone   Tone
	Bar    Bar
}

// MIPFunctionRun is a run in which the function ran.
type MIPFunctionRun struct {
	Run, File string
	Calls     Number
	First     string
	Max       bool // calls are at least so many
}

// MIPTree is a node of the tree of functions of machine IR.
type MIPTree struct {
	Ways   []Segment
	Title  string
	Crumbs []Crumb
	Says   string
	All    string
	Never  string
	NeverN string
	CSV    string
	Notes  []string
	Map    *Treemap
	Heads  []Head
	How    How
	Rows   []MIPTreeRow
	Shown  string
	Pager  Pager
	Empty  *Blank
}

// MIPTreeRow is a node of the table.
type MIPTreeRow struct {
	Name, Title, URL        string
	Plain                   bool
	Functions, FunctionsURL string
	Never, NeverURL         string
	Bytes                   Number
	Share                   string // of the profile's bytes
	Covered                 Number
	CoveredShare            string
	Bar                     Bar
	Blocks, BlocksShare     string
	Calls                   Number
}

// MIPStartup is the page of the start-up order.
type MIPStartup struct {
	Says   string
	Notes  []string
	Choose MIPStartupForm
	Files  []Download
	Map    *AddressMap
	Modes  []Segment
	CSV    string
	Rows   []MIPStartupRow
	Shown  string
	Pager  Pager
	Empty  *Blank
}

// MIPStartupForm chooses by which runs the order is.
type MIPStartupForm struct {
	Action  string
	Runs    []Option // nil where runs are not told apart
	MinRuns string
	Of      string // runs there are, at least
	Keep    []Hidden
}

// MIPStartupRow is a function at its place.
type MIPStartupRow struct {
	Place, URL string
	Name       Name
	First      string
	Merges     string
	Size       Number
	Address    string
}

// MIPRuns is the page of the raw files of a profile.
type MIPRuns struct {
	Says    string
	Notes   []string
	Growth  *Plot
	Columns []MIPRunColumn
	Figures []MIPRunFigure
	Rows    []MIPRunRow // functions
	Scale   HeatLegend
	Modes   []Segment
	Chips   []Chip
	CSV     string
	Shown   string
	Pager   Pager
	Empty   *Blank
}

// MIPRunColumn is one raw file.
type MIPRunColumn struct{ Run, File, URL string }

// MIPRunFigure is a figure of each run.
type MIPRunFigure struct {
	Label, Title string
	Cells        []MIPRunCell
}

// MIPRunCell is a figure of one run.
type MIPRunCell struct {
	Value Number
	URL   string
	Bar   *Bar
}

// MIPRunRow is a function with what each run says of it.
type MIPRunRow struct {
	Name  Name
	URL   string
	Cells []MIPRunMark
}

// MIPRunMark is a function in a run: how often it was called, or that it ran.
type MIPRunMark struct {
	Text  string // empty where it did not run
	Title string
	Step  int
}
