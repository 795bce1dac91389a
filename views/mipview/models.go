package mipview

import (
	"proflens/analyze"
	"proflens/internal/humanize"
	"proflens/profile/mipdb"
	"proflens/views/chart"
	"proflens/views/page"
)

// Overview is the first page of a Machine IR Profile, already formatted.
type Overview struct {
	page.Overview                               // tiles, notes, findings, file card
	Timeline                  *chart.Plot       // bytes of code by functions first run; nil without timestamps
	Start                     []chart.PlotPoint // some of its points as a table
	First                     []ShareRow        // the functions that ran first
	Coverage                  []ShareRow        // namespaces with the most bytes
	Dead                      []ShareRow        // the largest functions that never ran
	Hot                       []ShareRow        // functions with the most calls
	TreeURL, DeadURL, CallURL string
	OrderURL                  string
}

// ShareRow is a line of a short list: a name, a figure, a part.
type ShareRow struct {
	Name  *humanize.Name // of a function; nil for a namespace
	Label string         // of a namespace
	Plain bool           // Label is a description, not a name
	URL   string
	Value humanize.Number
	Share string
	Bar   chart.Bar
	Cover *chart.Cover // in place of Bar, where the share is of what ran
}

// Functions is what stands around a table of functions of machine IR: all, those that
// never ran, or by calls.
type Functions struct {
	Notes         []string // what to know of them
	Action, Clear string
	Filter        Filter
	Sums          []Sums // of those that never ran
}

// Filter is every filter as a form.
type Filter struct {
	Q, Re, Path, Namespace string
	Executed, Saturated    []page.Option // nil where the page fixes it
	Runs                   []page.RangeField
	Ranges                 []page.RangeField
	Keep                   []page.Hidden
}

// Sums is what never ran, added up.
type Sums struct {
	ID, Title, Says string
	Rows            []ShareRow
	URL             string // the whole tree
}

// Function is everything about one function of machine IR.
type Function struct {
	page.FunctionName                 // its name and the addresses of what is around
	Elsewhere         *page.Elsewhere // in other profiles; nil where in none
	Tiles             []page.Tile
	Facts             page.Facts
	Notes             []string
	Ruler             *chart.ByteRuler
	RulerSay          string
	Of                *mipdb.Function
	Profile           *mipdb.Overview
	Files             []mipdb.Run // of the profile
	Sizes             []uint32    // of the blocks, the entry first
	From, To          int         // those that are shown
	Range             string
	Pager             page.Pager
	RunsSay           string
	Twins             []page.Neighbour
	JSON              string
}

// state is what became of a block of a function, of which the entry is 0, and how far from the function's
// start it is.
func state(f *mipdb.Function, i int) (offset, says string, tone page.Tone) {
	covered, offset := f.Executed, "0"
	if i > 0 {
		b := f.BlockData[i-1]
		if b.Removed() {
			return "–", "removed", page.Caution
		}
		covered, offset = b.Covered, humanize.Int(b.Offset)
	}
	if covered {
		return offset, "covered", page.Good
	}
	return offset, "not covered", page.Neutral
}

// Tree is a node of the tree of functions of machine IR.
type Tree struct {
	page.Tree
	Profile *mipdb.Overview
	Map     *chart.Treemap
	Rows    []TreeRow
}

// TreeRow is a node of the table.
type TreeRow struct {
	page.TreeName
	*analyze.MIPTotals
	FunctionsURL, NeverURL string // empty for none
}

// Startup is what stands over the start-up order.
type Startup struct {
	Notes  []string
	Choose StartupForm
	Files  []page.Download
	Map    *chart.AddressMap
}

// StartupForm chooses by which runs the order is.
type StartupForm struct {
	Action  string
	Runs    []page.Option // nil where runs are not told apart
	MinRuns string
	Of      string // runs there are, at least
	Keep    []page.Hidden
}

// Runs is the page of the raw files of a profile.
type Runs struct {
	page.List // of functions: its heads stand before those of the runs
	Says      string
	Notes     []string
	Growth    *chart.Plot
	Columns   []RunColumn
	Figures   []RunFigure
	Rows      []RunRow // functions
	Scale     chart.HeatLegend
}

// RunColumn is one raw file.
type RunColumn struct {
	Run, File, URL string
	Short          string // the file's name without its folders and ending
	Idle           bool   // it executed nothing
}

// RunFigure is a figure of each run.
type RunFigure struct {
	Label, Title string
	Cells        []RunCell
}

// RunCell is a figure of one run.
type RunCell struct {
	Value humanize.Number
	URL   string
}

// RunRow is a function with what each run says of it.
type RunRow struct {
	page.Selected
	Name  humanize.Name
	URL   string
	Size  humanize.Number
	Runs  string // in which it ran
	Cells []RunMark
}

// RunMark is a function in a run: how often it was called, or that it ran.
type RunMark struct {
	Text  string // empty where it did not run
	Title string
	Step  int
}
