// Package projectview is the components of projects: trends over builds, the gate,
// branches, builds, and what the runs of one build agree on.
package projectview

import (
	"proflens/internal/humanize"
	"proflens/views/chart"
	"proflens/views/page"
)

// List is all projects.
type List struct {
	Rows  []Project
	Empty string // a command that makes the first
}

// Project is a row of the list.
type Project struct {
	Name, URL string
	Profiles  string
	Newest    humanize.Moment
	Branches  []page.Link // the few newest
	More      string      // "and 3 more"
}

// Overview is the first page of a project.
type Overview struct {
	Name     string
	Trend    Trend
	Gate     Gate
	Small    []Small
	Branches Branches
	Builds   Builds
	Status   string // "30 builds of master, 1 Mar 2018 to 19 Apr 2019"
	Command  string // that has the gate judge in CI
}

// Trend is the panel of a measure over builds.
type Trend struct {
	Title              string
	How                page.How
	Action             string // of the form that chooses
	Branches, Loads    []page.Option
	Measures           []page.Option
	Segments           []page.Segment // the few measures that are looked at first
	Views              []page.Segment // chart, table
	Chart              *chart.Trend   // nil where the table is shown, or nothing is known
	Table              *Table         // nil where the chart is shown
	Steps              []Step         // the newest first
	MoreSteps          string
	Dismissed          []Step // the newest first
	StepAction         string // of the forms of steps
	StepLocked         bool   // one has to log in first
	Blank              *page.Blank
	BlankCommand       string
	Pending            string // how much is being measured
	Left               string // which builds are left out; empty where none are
	JSON, CSV          string
	Newest, NewestSays string // the newest value, in words
}

// Table is the twin of a chart, the newest build first.
type Table struct {
	Value string // the head of the values
	Rows  []TableRow
}

// TableRow is a build in it.
type TableRow struct {
	Commit, URL, Subject string
	At                   humanize.Moment
	Value, Of, Change    string
	Step                 *page.Tag
	Compare              string
}

// Step is one of the steps of a trend, as a sentence.
type Step struct {
	Tag         page.Tag
	Says        string
	Compare     string // may be empty
	CompareSays string
	Fields      []page.Hidden // of the form that dismisses it
}

// Small is one of the small charts.
type Small struct {
	Title, URL string
	Chart      *chart.Trend
	Value      string
}

// Gate is what the rules say of a build.
type Gate struct {
	Says      string // "master, c51f442c against 4b8b9fdc"
	Rules     []Rule
	Report    string // the page of it
	Badge     string // address of the picture
	BadgeAlt  string
	BadgeCopy string // Markdown with the whole address
	Latest    string
	RulesURL  string
	Pending   string // what is still being measured
	Fault     string // why the rules cannot be read
	Warning   string // why the figures mean little
	LeftOut   string // what they are without
	Verdict   page.Tag
	Compare   string
}

// Rule is a rule and what it found.
type Rule struct {
	Tag                 page.Tag
	Name, Title, Wanted string
	Figure, Why         string
}

// Branches is the latest of each branch.
type Branches struct {
	Value string // the head of the measure; empty for none
	Rows  []Branch
	All   string // all of them, where these are not
	Count string
}

// Branch is a row.
type Branch struct {
	Name, URL     string
	Latest        string
	LatestURL     string
	At            humanize.Moment
	Families      []page.Tag
	Value, Change string
	Chart         *chart.Trend
	Builds        string
	Gate          page.Tag
	GateNote      string
	Current       bool
}

// Builds are those of a branch, the newest first.
type Builds struct {
	Title, Says string
	Heads       []string // of figures beside the main one
	Value       string   // the head of the main figure; empty for none
	Rows        []Build
	All, Count  string
	Pager       page.Pager
	Shown       string
	CSV         string
	Branched    bool // rows say their branch
}

// Build is a row.
type Build struct {
	Commit, URL, Subject, Branch string
	At                           humanize.Moment
	Part                         string // width of a bar; empty for none
	Value, Change                string
	Figures                      []string
	Compare                      string
	Families                     []page.Tag
}

// One is the page of a build.
type One struct {
	Commit, Subject, Branch, Workload string
	BranchURL                         string
	At                                humanize.Moment
	Profiles                          []Profile
	Figures                           []Figure
	Before, After                     *page.Link
	Compare                           string // with the build before
	Pending                           string
	Gate                              Gate
	Runs                              []Runs
	JSON                              string
}

// Profile is a profile of a build.
type Profile struct {
	Name, URL string
	Families  []page.Tag
	Describe  string
	Workload  string
	Added     humanize.Moment
	Size      humanize.Number
	Compare   string // with that of the build before
}

// Figure is a measure of a build and of the one before.
type Figure struct {
	Family              string
	Title, URL          string
	Value, Of           string
	Before, Change      string
	Worse, Better, Pair bool
}

// Runs is what the runs of a build agree on.
type Runs struct {
	ID, Family string
	Says       string
	Heads      []page.Link // the runs
	Rows       []Split
	Shown      string
	JSON, CSV  string
}

// Split is a function that runs disagree on.
type Split struct {
	Name  humanize.Name
	URL   string
	Share string
	Heats []page.Tag
}

// Rules is the page of the rules.
type Rules struct {
	Text       string
	Action     string
	NeedsToken bool
	Updated    *humanize.Moment
	Example    string
	Fault      string
	Raw        string
	File       string // what the file is called
}

// GatePage is the page of the gate.
type GatePage struct {
	Gate            Gate
	Action          string
	Branches, Loads []page.Option
	JSON, Command   string
}
