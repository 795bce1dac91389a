package page

// Chip is one filter in force.
type Chip struct {
	Text   string
	Remove string // address without it
}

// Hidden is a parameter that a form carries along.
type Hidden struct{ Name, Value string }

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
	Class  string // for the style of its cells; may be empty
	How    How
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

// Download is a file to save, and the command that uses it.
type Download struct{ Label, URL, Command string }

// QuickFilter is a field that filters a list by words.
type QuickFilter struct {
	Action string
	Q      string
	Label  string     // what the words are of: "function or file"
	Other  RangeField // for other words; none where its Name is empty
	Ranges []RangeField
	Keep   []Hidden
	Typed  []Option // what a condition on a column can begin with
}

// List is what stands around the rows of a list that is sorted and filtered.
type List struct {
	Filter     QuickFilter // without an action there is none
	Chips      []Chip
	Clear      string
	Heads      []Head
	Modes      []Segment // how names are written; nil where there are none to choose
	CSV        string
	Shown      string // "rows 1–100 of 311"
	Incomplete *Incomplete
	Pager      Pager
	Empty      *Blank
	Inspector  *Inspector // nil when no row is selected
}
