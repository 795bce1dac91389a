package covview

import (
	"proflens/internal/humanize"
	"proflens/views/page"
	"proflens/views/sourceview"
)

// ComparedLines is a file of two profiles, line by line.
type ComparedLines struct {
	Dir, Name string
	Ways      []page.Segment // changes, all lines
	NoText    bool
	Rows      []ComparedLine
	CSV       string
	Moved     string
	Shown     string
	Pager     page.Pager
	Empty     *page.Blank
}

// ComparedLine is a line, or a fold of several.
type ComparedLine struct {
	Turn         string
	First        bool // a change begins here
	A, B         ComparedSide
	Text         []sourceview.Code // of B, or of A where B does not have it
	Fold, Unfold string
}

// ComparedSide is what one side says of a line.
type ComparedSide struct {
	Line  string // empty where it does not have the line
	URL   string
	Count humanize.Number
	State string // empty: no code
}

// What became of a line, as classes of rows have it.
const (
	NewlyCovered   = "newly"
	NewlyUncovered = "lost"
	OnlyA          = "a"
	OnlyB          = "b"
)

// turnSigns are the signs of what became of a line, and their words.
var turnSigns = map[string][2]string{
	NewlyCovered: {"▴", "newly covered"}, NewlyUncovered: {"▾", "newly uncovered"}, OnlyA: {"A", "only in A"},
	OnlyB: {"B", "only in B"},
}
