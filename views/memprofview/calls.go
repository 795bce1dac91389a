package memprofview

import (
	"proflens/say"
	"proflens/views/chart"
	"proflens/views/page"
)

// Calls is the page of calls that lead to allocations.
type Calls struct {
	Title     string
	Verdict   string // in a few words
	Because   string
	Show      []page.Segment
	Ways      []page.Segment // calls, and as recorded; nil where nothing is recorded
	Switches  []page.Segment
	Library   LibraryForm
	Quick     page.QuickFilter
	Inspector *page.Inspector // nil when no row is selected
	CSV       string
	Modes     []page.Segment
	Heads     []page.Head
	Rows      []CallRow
	Shown     string
	Folded    string // calls that are left out
	Pager     page.Pager
	Empty     *page.Blank
}

// CallRow is a call.
type CallRow struct {
	page.Selected
	Caller, Callee say.Name
	URL            string // the flame graph around it
	At, Place      string
	PlaceURL       string // the page of the line; empty where that is not known
	Inlined        string // "+3 inlined"
	InlinedNames   string // a line each
	Bar            chart.Bar
	Bytes          say.Number
	Share          string
	Contexts       say.Number
	Sites          string
	Mix            []MixPart
	MixSays        string
	Hot, Cold      string // shares
	Clone          bool
}

// MixPart is a class's part of a bar of 1000 units.
type MixPart struct{ X, Width, Fill string }
