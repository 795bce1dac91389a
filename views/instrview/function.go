package instrview

import (
	"proflens/say"
	"proflens/views/chart"
	"proflens/views/page"
)

// Function is everything about one function, already formatted.
type Function struct {
	page.FunctionName

	Records []RecordRow
	// RecordNotes say why there are several records, RecordCounters are the first
	// counters of the first of them, side by side.
	RecordNotes    []string
	RecordCounters []RecordCounters

	Contexts *Contexts   // nil unless there are a plain and a context-sensitive record
	Record   Record      // the one shown
	Added    []page.Part // by other families
}

// RecordRow is one FuncHash of the name.
type RecordRow struct {
	Hash     string
	URL      string
	Current  bool
	Kind     string // plain, context-sensitive
	Class    page.Class
	Rank     string
	Total    say.Number
	Share    string
	Max      say.Number
	Counters string
	Executed string // share of the counters that are above 0
	Sites    string
}

// RecordCounters is one counter of each record; nil where a record has it not.
type RecordCounters struct {
	Index  string
	Values []*say.Number
}

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

	Strip    *chart.Strip
	Counters []CounterBar
	Range    string // "0–999 of 12 345 counters"
	Pager    page.Pager
	Legend   chart.HeatLegend

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
	Empty string // how many sites recorded nothing
	Count string
}

// Site is one value site.
type Site struct {
	Index   string
	Total   say.Number
	Targets []Target
}
