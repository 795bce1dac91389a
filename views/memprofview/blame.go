package memprofview

import (
	"slices"
	"strconv"
	"strings"

	"proflens/internal/humanize"
	"proflens/profile/memprofdb"
	"proflens/views/chart"
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

// BlameRow is a row of sites by blame. SiteRow.Place is the path of the line.
type BlameRow struct {
	SiteRow
	Of     *memprofdb.BlameSite
	ID     string
	Open   bool
	Toggle string        // address with the callers shown, or hidden
	Name   humanize.Name // of the blame frame, or the type
	Type   string        // or, by type, the function of most bytes
	At     string        // "node.cpp:31"
	Bar    chart.Bar
	Mean   humanize.Number

	// Of an open row.
	Chain   string // library frames that are folded
	Folded  string // how many
	All     string // its contexts
	Callers []CallerRow
	Cut     string // what is not listed
}

// CallerRow is callers of a blame frame that some contexts have in common.
type CallerRow struct {
	BlameRow
	Node *memprofdb.BlameNode
	URL  string // of the context, where it is one
}

// callersNamed is how many callers a node names.
const callersNamed = 3

// More is how many there are besides the first: "+2"; empty for none.
func More(n int) string {
	if n < 2 {
		return ""
	}
	return "+" + humanize.Int(n-1)
}

// lifetimeWords are the ranges of memprofdb.LifetimeSteps.
var lifetimeWords = [len(memprofdb.LifetimeSteps) + 1]string{
	"below 0.1 ms", "0.1 to 1 ms", "1 to 10 ms", "10 to 100 ms", "0.1 to 1 s", "1 s or more",
}

// lifetimesSay are the shares of the ranges of lifetimes in words.
func lifetimesSay(of *memprofdb.BlameSite) string {
	var says []string
	for i, bytes := range of.Lifetimes {
		if !bytes.IsZero() {
			says = append(says, lifetimeWords[i]+" "+humanize.Percent(bytes.Float64()/of.Bytes.Float64(), 1))
		}
	}
	return strings.Join(says, ", ")
}

// beforeFigures is how many columns stand before the figures of a row.
func beforeFigures(heads []page.Head) string {
	n := slices.IndexFunc(heads, func(h page.Head) bool {
		return !slices.Contains([]string{"name", "type", "at"}, h.Column)
	})
	return strconv.Itoa(n)
}
