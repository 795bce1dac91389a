package covview

import (
	"proflens/views/sourceview"
)

// Glance is the coverage of a profile on its first page.
type Glance struct {
	Of       string // which files they are of; empty of all
	LeftOut  string // what they are without; empty for nothing
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
