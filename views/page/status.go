package page

import (
	"proflens/internal/humanize"
)

// Progress is the page of a profile on its way: waiting, or being decoded.
type Progress struct {
	ID       string
	Name     string
	Heading  string // "Decoding", "Waiting to be decoded"
	Steps    []Step
	Percent  int    // of decoding; -1 when it has not begun
	Queued   string // "2 profiles before this one"; empty when it does not wait
	Describe string // what was recognised; empty before
	Files    []OriginalFile
	Link     string // the whole address of this page
}

// Step is a stage of decoding.
type Step struct {
	Label string
	State string // done, now or ahead
	Note  string
}

// OriginalFile is one file as it was uploaded.
type OriginalFile struct {
	Name   string
	URL    string // downloads it
	Size   humanize.Number
	SHA256 string
	// Problem is what is wrong with this one of several; nil when nothing is.
	Problem *Problem
}

// Failure is the page of a profile that could not be decoded.
type Failure struct {
	Name     string
	Problem  Problem
	Describe string
	Files    []OriginalFile
	Anatomy  []AnatomyFile
	Kept     string   // how long the files are kept
	Delete   string   // address of the page that deletes it
	Salvage  *Salvage // nil when there is nothing to salvage
}

// AnatomyFile is the layout of one file as far as it could be read.
type AnatomyFile struct {
	Name, Format string
	Notes        []string // what there is to say of it besides the fault
	Sections     []AnatomySection
	More         int    // sections not shown
	Raw          string // the page of its bytes
	JSON         string
}

// AnatomySection is a run of bytes with a purpose.
type AnatomySection struct {
	Name, Note   string
	Offset, Size string
	Fields       []AnatomyField
	More         int // fields not shown
}

// AnatomyField is one value as it stands in a file.
type AnatomyField struct{ Name, Offset, Size, Value, Meaning string }

// Deletion is the page that asks before it deletes.
type Deletion struct {
	ID, Name string
	Action   string
	Back     string
	Facts    Facts
	Wrong    string // what was wrong with the token that was given; empty at first
}
