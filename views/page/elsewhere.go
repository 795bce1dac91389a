package page

import (
	"proflens/internal/humanize"
	"proflens/views/chart"
)

// Elsewhere is a function in other profiles of the same program.
type Elsewhere struct {
	Rows    []ElsewhereRow
	Partial bool   // there was no time for all profiles
	JSON    string // the same for scripts
	Strips  []ElsewhereStrip
	Says    string // what the strips are
}

// ElsewhereRow is one profile that has the function.
type ElsewhereRow struct {
	Measures string // of the profile: "Counts"
	Name     string // of the profile
	URL      string // of the function there
	Figure   humanize.Number
	Note     string
	Why      string // "same build"
	Code     string // "same code", "other code"; empty where nobody can tell
	Compare  string // link; may be empty
}

// ElsewhereStrip is a run of the same code, counter by counter.
type ElsewhereStrip struct {
	Name, Note string
	Paths      []chart.CodePath
	Label      string
}
