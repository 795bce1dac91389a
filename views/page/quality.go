package page

import (
	"proflens/internal/humanize"
)

// Quality is what to know before trusting a profile, a figure each.
type Quality struct {
	Says  string // the whole in a sentence
	Items []QualityItem
	// Folded is how many are 0, and so are not shown at once; empty for none.
	Folded string
}

// QualityItem is one figure.
type QualityItem struct {
	ID     string // data-testid
	Label  string
	Value  humanize.Number
	Note   string // "of 1 204 functions"; may be empty
	Means  string // one sentence
	URL    string // the rows; empty where there are none
	Link   string // what the link does
	Odd    bool   // worth a look
	Folded bool   // nothing of it is there
	How    How
}
