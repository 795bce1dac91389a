package page

import "math"

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
	WithState []Option
	Signs     []Option
	Keep      []Hidden
	Chips     []Chip
	Clear     string
	Modes     []Segment
	CSV       string
	Tree      string // where the changes are
	Heads     []Head
	Rows      []PairRow
	Shown     string
	Held      string
	NoMatch   string
	Pager     Pager

	Merge MergeForm
}

// Compared is one of the two profiles.
type Compared struct {
	Letter, ID, Name, URL, Describe, Digest string
	Functions                               string
	Total                                   Number
}

// PairState is a line of matched, changed and missing records.
type PairState struct {
	Word, Title, URL     string
	Pairs                string
	Base, Test           Number
	BaseShare, TestShare string
	BaseBar, TestBar     Bar
}

// OverlapLine is a line of what llvm-profdata overlap prints.
type OverlapLine struct {
	Kind, Overlap, Mismatch, Unique string
	Base, Test                      Number
}

// PairRow is a function record in both profiles.
type PairRow struct {
	Name                 Name
	URL                  string
	CS                   bool
	Change               Change
	BaseShare, TestShare string
	Base, Test           Number // totals; empty where there is no record
	BaseMax, TestMax     Number
	BaseClass, TestClass Class
	Overlap              string
	State, StateTitle    string
}

// Change is a difference with its sign, drawn from the middle of a bar of 100.
type Change struct {
	Text  string // "+1.20 %"
	Word  string // more, less, same
	X     string
	Width string
}

// NewChange writes a difference of shares; largest fills its half of the bar.
func NewChange(difference, largest float64) Change {
	c := Change{Word: "same", Text: Percent(0, 2), X: "50", Width: "0"}
	size := math.Abs(difference)
	if size == 0 || math.IsNaN(difference) {
		return c
	}
	width := 50.0
	if largest > 0 {
		width = max(50*min(size/largest, 1), 1)
	}
	c.Word, c.Text, c.Width = "more", "+"+Percent(size, 2), decimal(width)
	if difference < 0 {
		c.Word, c.Text, c.X = "less", "−"+Percent(size, 2), decimal(50-width)
	}
	return c
}

// CompareTree is a node of the tree of changes with what is below it.
type CompareTree struct {
	Base, Test Compared
	Pairs      string    // the table of changes
	Ways       []Segment // by path, by namespace
	Title      string
	Crumbs     []Crumb
	Says       string // the node's shares
	All        string // the changes of the node's functions
	Rules      *Rules // nil for namespaces
	Notes      []string
	CSV        string
	Rows       []ChangeRow
	Shown      string
	Pager      Pager
}

// ChangeRow is a node in both profiles.
type ChangeRow struct {
	Name, Title                  string
	URL                          string // opens it; empty where there is nothing below
	PairsURL                     string // its functions; may be empty
	Plain                        bool   // Name is a description, not a name
	Change                       Change
	BaseShare, TestShare         string
	Base, Test                   Number
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
	Added                     Moment
}

// Merged says what a profile was merged from.
type Merged struct {
	Inputs   []MergedInput
	Findings []Finding
}

// MergedInput is one of them; URL is empty where it is not told.
type MergedInput struct{ Name, URL, Describe, Weight, Digest, Partial string }
