package instrview

import (
	"proflens/internal/humanize"
	"proflens/profile/instrdb"
	"proflens/views/chart"
	"proflens/views/page"
)

// Function is everything about one function, already formatted.
type Function struct {
	page.FunctionName

	Records []RecordRow
	// RecordNotes say why there are several records; Beside is how many counters of the
	// first RecordsBeside stand side by side.
	RecordNotes []string
	Beside      int

	Contexts *Contexts   // nil unless there are a plain and a context-sensitive record
	Record   Record      // the one shown
	First    []page.Part // by families that lead
	Added    []page.Part // by other families

	Elsewhere *page.Elsewhere // in other profiles; nil where in none
}

// RecordRow is one FuncHash of the name.
type RecordRow struct {
	*instrdb.Record
	URL     string
	Current bool
	Class   page.Class
}

// RecordsBeside is of how many records counters stand side by side.
const RecordsBeside = 8

// Record is the record shown in full.
type Record struct {
	Hash       string
	Rank       string
	Of         string // records of the profile
	Class      page.Class
	CS         bool
	Pseudo     string // what a pseudo-count record says; empty for a real one
	NoCounters string
	RawURL     string // where it stands in its file; empty where files have no records
	Figures    []page.Tile

	Strip *chart.Strip
	// The enlarged part, which counters it has, and where the parts before and after, the
	// largest counter and the whole are.
	Zoom                          *chart.Zoom
	Brushed                       string // "60–159"
	Before, After, Maximum, Clear string
	Brush, NumCounters            string // address without a part, and how many there are, for the script

	Counters          []CounterBar
	ByCount           bool
	Orders            []page.Segment
	Zeros, ZeroRanges string // how many are 0, and which
	More, MoreURL     string
	CSV               string
	Range             string // "0–999 of 12 345 counters"
	Scale             string // of the bars
	Pager             page.Pager
	Legend            chart.HeatLegend

	Sites  []SiteKind
	Bitmap *chart.Bitmap
	// BitmapLayout says what its bits stand for, as far as the profile tells.
	BitmapLayout string
}

// SiteKind is the value sites of one kind.
type SiteKind struct {
	ID    string // anchor
	Title string
	Note  string
	Sites []Site
	More  string // how many further sites are not shown, and where they are
	Empty string // how many sites recorded something, and how many nothing
	Count string
}

// Site is one value site.
type Site struct {
	Index   string
	Total   humanize.Number
	Targets []Target
	Rest    []Target // those that are folded
	Folded  string   // "7 more"
}
