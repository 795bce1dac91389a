package instrview

import (
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/instrdb"
	"proflens/views/chart"
	"proflens/views/page"
)

// Functions is the function table, already formatted.
type Functions struct {
	Action string // the page without its query
	Empty  string // why there are no records at all

	Chips   []page.Chip
	Clear   string // removes every chip
	Filter  FilterForm
	Modes   []page.Segment
	Merge   page.Segment // turns merging of equal names on, or off where it is
	Columns page.ColumnMenu
	CSV     string
	Quick   []page.Hidden // what the filter field in the bar keeps
	Example string        // of a filter that this profile has the counts for: "entry>=1000"

	Heads []page.Head
	Rows  []FunctionRow

	Status     page.Status
	Pager      page.Pager
	Legend     chart.HeatLegend
	Inspector  *Inspector
	Incomplete *page.Incomplete
}

// FilterForm is every filter as a form.
type FilterForm struct {
	Q, Re, Path string
	Classes     []page.Check
	Quality     []page.Check // nil where there is nothing odd
	Executed    []page.Option
	CS          []page.Option // nil unless the profile has context-sensitive records
	Ranges      []page.RangeField
	Keep        []page.Hidden // sort, cols, names, limit
	Typed       []page.Option // what a condition can begin with
}

// Overview is the first page of a profile of counters.
type Overview struct {
	page.Overview
	Hottest []FunctionRow
}

// FunctionRow is one record in the table, or several of one name.
type FunctionRow struct {
	*instrdb.Row
	URL      string // the function's page
	Select   string // this page with the record in the inspector
	Selected bool
	Shown    humanize.Name
	Class    page.Class
	Hashes   int    // FuncHashes that the name has
	TimesURL string // the records that the row stands for, if they are several
	Bar      chart.Bar
	Drawn    chart.Shape
	Declared *page.Place // where it is declared; nil where that is not known
}

// pathOf is the source file that the name of a static function has.
func pathOf(r *instrdb.Row) string {
	path, _ := names.Split([]byte(r.PGO))
	return humanize.Printable(path)
}

// Inspector is the summary of the selected record.
type Inspector struct {
	Close    string
	URL      string
	Class    page.Class
	Rank     string
	Name     humanize.Name
	Linkage  string // the linkage name, where it is another than the one shown
	Path     string
	Place    *page.Place // where it is declared; nil where that is not known
	Facts    page.Facts
	Records  string // "2, with different hashes"; empty for one
	Counters []CounterBar
	Shown    string // "12 of 126, log scale"
	Targets  []Target
	Site     string
	Missing  string // why there is nothing: the selected record is not in the profile
}

// CounterBar is one counter.
type CounterBar struct {
	Index string
	Marks []string // entry, maximum
	Bar   chart.Bar
	Value humanize.Number

	Share, Sum string // of the record; where counters stand by their counts
	URL        string // of the part round it
	Folded     string // "35 counters are 0", in place of a bar
}

// Target is one value of a value site.
type Target struct {
	Name  *humanize.Name // of a function or a vtable; nil for the rest
	Label string         // a size in words, or "unknown"
	Title string         // of the label
	URL   string         // empty when the profile has no record of it
	Bar   chart.Bar
	Share string
	Count humanize.Number
}
