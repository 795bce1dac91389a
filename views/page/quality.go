package page

import (
	"proflens/say"
)

// Quality is what to know before trusting a profile, a figure each.
type Quality struct {
	Says  string // the whole in a sentence
	Items []QualityItem
}

// QualityItem is one figure.
type QualityItem struct {
	ID    string // data-testid
	Label string
	Value say.Number
	Note  string // "of 1 204 functions"; may be empty
	Means string // one sentence
	URL   string // the rows; empty where there are none
	Link  string // the link's text
	Odd   bool   // worth a look
	How   How
}
