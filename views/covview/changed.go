package covview

import (
	"proflens/internal/humanize"
	"proflens/views/page"
	"proflens/views/sourceview"
)

// Changed is how the lines ran that a diff adds; without one it asks for one.
type Changed struct {
	Says, More string // "596 of 741 changed lines covered, 80.4 %." and the rest
	Bar        Bar
	Counts     string // "536 covered, 60 partly, 145 not; 347 hold no code"
	Ways       []page.Segment
	JSON       string
	Markdown   string
	Files      []ChangedFile
	Open       *ChangedText // the file that is shown
	Unmapped   []string     // files of the diff that no mapping mentions
	Ask        sourceview.AskText
}

// ChangedFile is a file of the list.
type ChangedFile struct {
	Dir, Name, URL string
	Bar            Bar
	Lines          string // "55/78"
	Not            humanize.Number
	Some           bool // of Not
	Current        bool
}

// ChangedText is the hunks of a file.
type ChangedText struct {
	Dir, Name, Says string
	Whole           string // address of the file's page
	Hunks           []ChangedHunk
	More            string // hunks that are not shown
}

// ChangedHunk is a hunk.
type ChangedHunk struct {
	Head, Section, Says string
	Lines               []ChangedLine
}

// ChangedLine is a line of a hunk.
type ChangedLine struct {
	ID       string // of its anchor
	Old, New string
	Count    humanize.Number
	Sign     string // "+", "−"
	State    string // of added lines
	Text     string
}
