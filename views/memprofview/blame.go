package memprofview

import (
	"slices"
	"strconv"

	"proflens/internal/humanize"
	"proflens/views/page"
)

// Blame is the page of allocation sites by blame frame, or by type.
type Blame struct {
	Sites     // the frame of the page: its own rows are empty
	Answers   []Answer
	Switches  []page.Segment // folding, on and off
	Library   LibraryForm
	Flame     string
	Rows      []BlameRow
	InLibrary string
}

// Answer is one of the questions about a heap, answered, with a link that filters by
// it.
type Answer struct {
	Title, Note string
	URL         string
	Current     bool
	Figure      humanize.Number
	Says        string
	Rows        []AnswerRow
}

// AnswerRow is a blame frame of an answer; one without a function has no address.
type AnswerRow struct {
	Name, Type, URL string
	Figure          humanize.Number
}

// LibraryForm is the list of what is a library's, to be edited.
type LibraryForm struct {
	Action, Rules, Count string
	Keep                 []page.Hidden
	Default              string // address with the list of the server; empty where it is in force
	// For is the profile and the page to go back to, for what has the browser keep the list;
	// Kept is set where it keeps one.
	For  string
	Kept bool
}

// BlameRow is a row of sites by blame. SiteRow.Name is that of the blame frame or
// the type, and its Place the path of the line.
type BlameRow struct {
	SiteRow
	ID        string
	Open      bool
	Toggle    string // address with the callers shown, or hidden
	Type      string
	Name      humanize.Name
	User      humanize.Name // what a container allocates for; its Base may be empty
	Types     string        // "+2"
	At, Lines string        // "node.cpp:31", "+1"
	Mean      humanize.Number
	Lifetimes LifetimeBars
	Classes   []page.Tag

	// Of an open row.
	Chain    string // library frames that are folded
	Folded   string // how many
	All      string // its contexts
	Contexts humanize.Number
	Callers  []CallerRow
	Cut      string // what is not listed
}

// CallerRow is callers of a blame frame that some contexts have in common.
type CallerRow struct {
	BlameRow
	Indent int
	First  string // the caller that tells them from others; empty where stacks end
	Others []string
	More   string
	URL    string // of the context, where it is one
}

// LifetimeBars are the bytes of ranges of lifetimes, in a box of 54 by 16.
type LifetimeBars struct {
	List []LifetimeBar
	Says string
}

// LifetimeBar is one of them.
type LifetimeBar struct {
	X, Y, Height string
	Step         int // of the heat ramp
}

// beforeFigures is how many columns stand before the figures of a row.
func beforeFigures(heads []page.Head) string {
	n := slices.IndexFunc(heads, func(h page.Head) bool {
		return !slices.Contains([]string{"name", "type", "at"}, h.Column)
	})
	return strconv.Itoa(n)
}
