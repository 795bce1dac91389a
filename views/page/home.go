package page

import (
	"proflens/internal/humanize"
	"proflens/views/chart"
)

// Home is the first page: where profiles are given and found.
type Home struct {
	Upload   Upload
	Commands []Command
	Examples []Example
	List     ProfileList
}

// Upload is the drop target and its form, with what a person should know
// before sending.
type Upload struct {
	Accepts []Accepted
	Facts   []string // where it goes, how long it is kept, who can see it, how much at once
	// MaxBytes is the most that one request may have, for the script; 0 is no limit.
	MaxBytes   int64
	NeedsToken bool
	Expiry     []Option
	Visibility []Option
}

// Accepted is a kind of file that can be given.
type Accepted struct{ Endings, What string }

// Command is a command line with what it does.
type Command struct{ Does, Line string }

// Example is a real profile that comes with the program.
type Example struct {
	Name  string // in its address
	Title string
	Text  string
}

// ProfileList is a page of the listed profiles.
type ProfileList struct {
	Title    string
	Count    string // "9 profiles"
	Rows     []ProfileRow
	Filter   []Chip // what the list was filtered by
	Next     string // address of the next page; empty on the last
	First    string // address of the first page; empty on it
	Filtered bool
	Projects string // the page of all projects; empty where there is none
	// Groupings are ways to group the list. Groups are the groups, by what GroupedBy says,
	// in the place of the rows.
	Groupings []Segment
	GroupedBy string
	Groups    []GroupRow
}

// GroupRow is profiles that have something in common.
type GroupRow struct {
	Value, URL string
	Profiles   string // "12 profiles"
	Newest     humanize.Moment
}

// ProfileRow is a profile in a list.
type ProfileRow struct {
	ID, URL, Name string
	Project       string
	ProjectURL    string // its page; empty for none
	Labels        []Tag
	Format        string          // "LLVM indexed · IR, context-sensitive"
	Describe      string          // in full
	Version       string          // "13", or a dash
	Functions     humanize.Number // with its unit, as Total is
	Total         humanize.Number
	Size          humanize.Number
	Spark         chart.Shape
	Digest        string
	DigestFull    string
	Added         humanize.Moment
	State         Tag
	Pending       bool   // it is on its way: decoding, or decoded again
	Ready         bool   // it can be chosen
	Compares      string // the families in which it can be compared, with blanks between
	Merges        string // why it cannot be merged; empty when it can
}
