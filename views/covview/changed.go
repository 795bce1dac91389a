package covview

import (
	"proflens/analyze/coverage"
	"proflens/views/page"
	"proflens/views/sourceview"
)

// Changed is how the lines ran that a diff adds; without one it asks for one.
type Changed struct {
	*coverage.Changed        // nil without a diff
	Says, More        string // "596 of 741 changed lines covered, 80.4 %." and the rest
	Ways              []page.Segment
	JSON              string
	Markdown          string
	Open              *coverage.ChangedFile // the file that is shown
	Show              coverage.State        // of the lines for which its hunks are shown; Unmapped: all are
	Whole             string                // address of the file's page
	URL               func(path string) string
	Ask               sourceview.AskText
}

// maxChangedLines is how many lines of hunks a page shows.
const maxChangedLines = 2000
