package page

// Functions is the function table, already formatted.
type Functions struct {
	Action string // the page without its query
	All    string // records of the profile
	Empty  string // why there are no records at all

	Chips   []Chip
	Clear   string // removes every chip
	Filter  FilterForm
	Modes   []Segment
	Merge   Segment // turns merging of equal names on, or off where it is
	Columns ColumnMenu
	CSV     string
	Quick   []Hidden // what the filter field in the bar keeps

	Heads []Head
	Rows  []FunctionRow
	Range string // "rows 101–200"

	Status     Status
	Pager      Pager
	Legend     HeatLegend
	Inspector  *Inspector
	Incomplete *Incomplete
}

// Chip is one filter in force.
type Chip struct {
	Text   string
	Remove string // address without it
}

// Hidden is a parameter that a form carries along.
type Hidden struct{ Name, Value string }

// FilterForm is every filter as a form.
type FilterForm struct {
	Q, Re, Path string
	Classes     []Check
	Quality     []Check // nil where there is nothing odd
	Executed    []Option
	CS          []Option // nil unless the profile has context-sensitive records
	Ranges      []RangeField
	Keep        []Hidden // sort, cols, names, limit
	Limit       []Option
}

// Check is a box to tick.
type Check struct {
	Name, Value, Label string
	Checked            bool
}

// Option is one of a choice.
type Option struct {
	Value, Label string
	Selected     bool
}

// RangeField is a field that takes "min..max".
type RangeField struct{ Name, Label, Value string }

// Segment is one of several ways to show the same thing.
type Segment struct {
	Label, URL, Title string
	Current           bool
}

// ColumnMenu chooses the columns.
type ColumnMenu struct {
	Columns []Check
	Keep    []Hidden
	Default string // address with the default columns
}

// Head is a column head.
type Head struct {
	Column string // a column's key, as in cols=
	Label  string
	Title  string // what it counts
	URL    string // sorts by it; empty when it cannot
	Sort   string // aria-sort: ascending, descending or empty
	Number bool   // right-aligned
	How    How
}

// FunctionRow is one record in the table.
type FunctionRow struct {
	ID       string // fid, for data attributes
	URL      string // the function's page
	Select   string // this page with the record in the inspector
	Selected bool

	Rank     string
	Name     Name
	Class    Class
	CS       bool
	Times    string // "×3" where the row stands for several records
	TimesURL string // these records
	Total    Number
	Share    string
	Bar      Bar
	Sum      string
	Entry    *Number // nil where the profile does not have it
	Max      Number
	Counters string
	Zero     string
	Shape    Shape
	Hash     string
	Path     string
	Sites    string
	Ordinal  string
}

// Status is the bar below the table.
type Status struct {
	Shown    string // "rows 1–100 of 84 213"
	Share    string // what the matching rows hold; empty when all match
	Matching string // "311 of 84 213 match"
	Held     string // what the shown rows hold
	Remove   string // what stands before the filters that can go
	NoMatch  string // "0 of 84 213 functions match"
}

// Incomplete is a text search that used up its time.
type Incomplete struct{ Searched, URL string }

// Pager leads through the rows.
type Pager struct {
	Page, Pages     string
	First, Previous string
	Next, Last      string
	Limits          []Segment
}

// Inspector is the summary of the selected record.
type Inspector struct {
	Close    string
	URL      string
	Class    Class
	Rank     string
	Name     Name
	Linkage  string // the linkage name, where it is another than the one shown
	Path     string
	Facts    []Fact
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
	Bar   Bar
	Value Number
}

// Target is one value of a value site.
type Target struct {
	Name  *Name  // of a function or a vtable; nil for the rest
	Label string // a size in words, or "unknown"
	Title string // of the label
	URL   string // empty when the profile has no record of it
	Bar   Bar
	Share string
	Count Number
}
