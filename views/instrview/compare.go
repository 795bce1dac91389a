package instrview

import (
	"proflens/say"
	"proflens/views/chart"
	"proflens/views/page"
)

// Compare is two profiles side by side.
type Compare struct {
	Base, Test Compared
	Swap       string // the same with the sides exchanged
	Sentence   string
	Notes      []string
	States     []PairState
	Overlap    []OverlapLine
	OverlapURL string // the figures of the other sort of records; may be empty
	OverlapOf  string // the link's text
	Gone       []PairRow
	GoneURL    string
	GoneCount  string

	Action    string
	Q         string
	WithState []page.Option
	Signs     []page.Option
	Keep      []page.Hidden
	Chips     []page.Chip
	Clear     string
	Modes     []page.Segment
	CSV       string
	Tree      string // where the changes are
	Heads     []page.Head
	Rows      []PairRow
	Shown     string
	Held      string
	NoMatch   string
	Pager     page.Pager

	Merge MergeForm
}

// Compared is one of the two profiles.
type Compared struct {
	Letter, ID, Name, URL, Describe, Digest string
	Functions                               string
	Total                                   say.Number
}

// PairState is a line of matched, changed and missing records.
type PairState struct {
	Word, Title, URL     string
	Pairs                string
	Base, Test           say.Number
	BaseShare, TestShare string
	BaseBar, TestBar     chart.Bar
}

// OverlapLine is a line of what llvm-profdata overlap prints.
type OverlapLine struct {
	Kind, Overlap, Mismatch, Unique string
	Base, Test                      say.Number
}

// PairRow is a function record in both profiles.
type PairRow struct {
	Name                 say.Name
	URL                  string
	CS                   bool
	Change               page.Change
	BaseShare, TestShare string
	Base, Test           say.Number // totals; empty where there is no record
	BaseMax, TestMax     say.Number
	BaseClass, TestClass page.Class
	Overlap              string
	State, StateTitle    string
}

// CompareTree is a node of the tree of changes with what is below it.
type CompareTree struct {
	Base, Test Compared
	Pairs      string         // the table of changes
	Ways       []page.Segment // by path, by namespace
	Title      string
	Crumbs     []page.Crumb
	Says       string      // the node's shares
	All        string      // the changes of the node's functions
	Rules      *page.Rules // nil for namespaces
	Notes      []string
	CSV        string
	Rows       []ChangeRow
	Shown      string
	Pager      page.Pager
}

// ChangeRow is a node in both profiles.
type ChangeRow struct {
	Name, Title                  string
	URL                          string // opens it; empty where there is nothing below
	PairsURL                     string // its functions; may be empty
	Plain                        bool   // Name is a description, not a name
	Change                       page.Change
	BaseShare, TestShare         string
	Base, Test                   say.Number
	BaseFunctions, TestFunctions string
}

// MergeForm makes one profile of the two.
type MergeForm struct {
	Inputs     []MergeInput
	Name       string
	NeedsToken bool
	Refused    string // why they cannot be merged; empty when they can
}

// MergeInput is a profile in the form.
type MergeInput struct{ Letter, ID, Name string }

// Choose is the page that asks which profiles to compare.
type Choose struct {
	Base, Test string // as given
	Fault      string
	BaseID     string // when it is known, profiles are links
	BaseName   string
	Rows       []ChooseRow
	More       bool // the server lists more
}

// ChooseRow is a listed profile.
type ChooseRow struct {
	Name, URL, Format, Digest string
	Added                     say.Moment
}
