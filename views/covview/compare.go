package covview

import (
	"proflens/analyze/coverage"
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
	Turn         coverage.Turn
	First        bool // a change begins here
	A, B         ComparedSide
	Text         []sourceview.Code // of B, or of A where B does not have it
	Fold, Unfold string
}

// ComparedSide is what one side says of a line.
type ComparedSide struct {
	*coverage.Row        // nil of a line that the mapping does not know
	Line          uint32 // 0 where it does not have the line
	URL           string
}

// turns are the signs of what became of a line, their words, and the classes of rows.
var turns = map[coverage.Turn][3]string{
	coverage.NewlyCovered: {"▴", "newly covered", "newly"}, coverage.NewlyUncovered: {"▾", "newly uncovered", "lost"},
	coverage.BaseOnly: {"A", "only in A", "a"}, coverage.TestOnly: {"B", "only in B", "b"},
}
