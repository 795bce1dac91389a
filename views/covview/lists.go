package covview

import (
	"proflens/say"
	"proflens/views/page"
	"proflens/views/sourceview"
)

// Uncovered is the functions that never ran.
type Uncovered struct {
	page.List
	Says string
	Ways []page.Segment // longest first, by file
	Rows []UncoveredRow
}

// UncoveredRow is a function that never ran.
type UncoveredRow struct {
	Name      say.Name
	URL       string
	Folder    string // of its file, with a slash
	File      string // its last part; empty where the row above has the same
	Path      string // of the file, always
	Line      string
	Source    *sourceview.Elsewhere // of the line
	Lines     string
	Regions   string
	Branches  string
	Instances string
}

// Decisions is conditions made of several, and which of them were shown to matter.
type Decisions struct {
	page.List
	Says string
	Ways []page.Segment // all, with something missing
	Rows []DecisionRow
}

// DecisionRow is one of them.
type DecisionRow struct {
	Place   string // "node.cpp:126"
	Title   string
	URL     string
	Name    say.Name // of the function
	Bar     Bar
	Shown   string // "1 of 3"
	Missing string // "C2, C3"
	Source  *sourceview.Elsewhere
	Vectors string // that ran
}

// Glance is the coverage of a profile on its first page.
type Glance struct {
	Measures []Measure
	Findings []Finding
	Files    string
	FilesN   string
	Rows     []FileRow
	Longest  Files
}

// OfFunction is a function's lines on its page.
type OfFunction struct {
	Says   string
	URL    string
	Place  string
	Source *sourceview.Elsewhere
	List   []Measure
	Rows   []Line
	More   string
}
