package page

import "proflens/internal/humanize"

// Compare is two profiles side by side, of whatever family.
type Compare struct {
	A, B     Picker
	Swap     string    // the same with the sides exchanged
	SwapKey  string    // the key for it
	Families []Segment // what can be compared of the two, where there is a choice
	Views    []Segment // what else shows this comparison
	Measures []Choice  // what is compared
	// Lead and Sentence say what there is to say, true alone.
	Lead, Sentence string
	Notes          []string
	Chart          *Dumbbells // nil where nothing moved
	Lists          []MoveList
	Parts          []Part // what a family adds below the chart
	Table          MoveTable
	Grid           *Grid // its rows; nil where the sentence stands alone
	Merge          MergeForm
}

// Choice is a choice between ways to show the same thing, with its label.
type Choice struct {
	Label    string
	Segments []Segment
}

// Picker is one side of a comparison, and what can take its place.
type Picker struct {
	Letter, Key    string // the key opens it
	ID, Name       string // empty before it is chosen
	URL            string
	Describe, Says string
	Digest         string
	Field          string // of the form: base or test
	Other          string // id of the other side; may be empty
	Apart          string // ids of listed profiles that cannot be compared with it, a space after each
	Keep           []Hidden
	Groups         []PickGroup
	More           bool // the server lists more
	Given          string
	Fault          string
}

// PickGroup is profiles that can be chosen.
type PickGroup struct {
	Label string
	Rows  []Pick
}

// Pick is a profile that can be chosen.
type Pick struct {
	Name, URL, Says, Digest string
	Added                   humanize.Moment
	Current                 bool
}

// Dumbbells draws the largest moves: a dot for each side on a common scale.
type Dumbbells struct {
	Title, Says string
	Rows        []Dumbbell
	Ticks       []DumbbellTick
}

// Dumbbell is a move; A, B and the line between them are in per cent of the width.
type Dumbbell struct {
	Name             humanize.Name
	URL              string
	Tag              *Tag
	A, B, From, To   string
	AbsentA, AbsentB bool
	Word             string // more, less
	Change           string
	Title            string
}

// DumbbellTick is a mark of the scale.
type DumbbellTick struct{ At, Label string }

// MoveList is things of one kind, those that count most first.
type MoveList struct {
	ID, Title, Says string
	URL, Count      string // all of them; empty where these are all
	Rows            []MoveListRow
}

// MoveListRow is one of them.
type MoveListRow struct {
	Name   humanize.Name
	URL    string
	Figure string
}

// MoveTable is what stands over the table of what moved by a threshold or more.
type MoveTable struct {
	Says       string
	Thresholds []Segment
	Threshold  RangeField // another one
	States     []Option
	Signs      []Option
	Keep       []Hidden // of the filter
	KeepMin    []Hidden // of the threshold
}

// Turn is what changed besides: from something to something else, or To alone.
type Turn struct{ From, To *Tag }

// MergeForm makes one profile of several.
type MergeForm struct {
	Inputs     []MergeInput
	Name       string // what the sum is called by default
	NeedsToken bool
	Refused    string // why they cannot be merged; empty when they can
}

// MergeInput is a profile in the form.
type MergeInput struct {
	Label    string // of its weight
	ID, Name string
	URL      string
	Describe string
	Says     string // its figures
	Weight   string
	Refused  string // why it cannot be merged; empty when it can
	LeaveOut string // the form without it, where it cannot
}

// Waiting is shown while a page takes its time.
type Waiting struct {
	Title  string // what is done
	Says   string // and with what
	Cancel string // where to go instead

	Doing    string // the step of the work; empty before the first
	Count    string // how far that is, in words; empty where nobody knows
	Done, Of int    // and as numbers
}
