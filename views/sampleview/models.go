// Package sampleview is the pages of sample profiles.
package sampleview

import (
	"proflens/internal/humanize"
	"proflens/profile/sampledb"
	"proflens/profile/table"
	"proflens/views/chart"
	"proflens/views/page"
)

// Overview is the first page of a sample profile.
type Overview struct {
	page.Overview
	Lead, Rest string // one sentence, of which the first part is strong
	Lost       *Lost  // nil where no program was given
	Ask        string // a command that gives one; empty where one was
	Checks     []Check
	ChecksSay  string // "4 checks, 2 to look at"
	Top        Table
}

// Lost is how much of the samples compilers cannot use.
type Lost struct {
	Bar    Stretches
	Legend []LegendLine
	Lists  []LostList
	Whole  uint64 // samples
	Names
}

// Stretches is a bar of 1000 units that has a part for each way in which functions stand
// in the program.
type Stretches struct {
	Parts []Stretch
	Says  string
}

// Stretch is a part of it.
type Stretch struct{ X, Width, Class string }

// LegendLine says what a part is.
type LegendLine struct{ Class, Sign, Text string }

// LostList is the functions that are lost in one way.
type LostList struct {
	Title, URL, All string
	Rows            []*sampledb.Name
	Empty           string
}

// Names writes functions as a request asks for it: what they are called, and the addresses of
// their pages.
type Names struct {
	Name func(f table.Named) humanize.Name
	URL  func(f table.Named) string
}

// Check is one answer to whether a profile can be trusted.
type Check struct {
	Tag  page.Tag
	Says string
	URL  string
}

// Table is a list of functions.
type Table struct {
	Caption string
	Heads   []page.Head
	Rows    []FunctionRow
}

// FunctionRow is a function of it.
type FunctionRow struct {
	*sampledb.Name
	Shown      humanize.Name
	URL        string
	Share, Sum float64 // of all, and with the rows above
	Bar        chart.Bar
	Lost       *LostPart
	Fit        *page.Tag // nil for the same
}

// LostPart is how much of a function's counts is lost; nil where it cannot be told.
type LostPart struct {
	Bar   Stretches
	Share string
	Much  bool
}

// Function is the page of a function.
type Function struct {
	page.FunctionName
	Names
	Tags       []page.Tag
	Lead, Rest string
	Facts      page.Facts
	Ways       []page.Segment
	LinesSay   string
	Numbered   string // the head of the places: "Offset", "Probe"
	Located    bool   // it is known where the function is declared
	Lines      []Line
	Ask        string // how to give the program, or its sources; empty for nothing
	MoreLines  string
	CSV, JSON  string
	FileURL    string
	Inlined    []Inlinee
	InlinedSay string
	Callers    []*sampledb.Edge
	Callees    []*sampledb.Edge
	CallersURL string
	CalleesURL string
	FlameURL   string
	Contexts   []ContextRow
	ContextSay string
	Elsewhere  *page.Elsewhere
	VTables    []VTableRow
}

// Line is a line, or a place, of a function.
type Line struct {
	ID, Number  string // of the source; empty where it is not known
	URL         string // of the line
	Place       string // "+9.2", or "12" of a probe
	Count       humanize.Number
	Bar         chart.Bar
	Inside      humanize.Number // counts inlined at it
	InsideBar   chart.Bar
	Text        *string // of the source; nil where that is not known
	Targets     []Target
	MoreTargets string
	Inlined     []Inlinee // unfold
	Has         bool
}

// Target is a function called from a place.
type Target struct {
	*sampledb.Name
	Share string
}

// Inlinee is a function that is inlined, with what is inlined into it.
type Inlinee struct {
	Name   humanize.Name
	URL    string
	Times  string // "× 2"
	Sum    humanize.Number
	Share  string
	Bar    chart.Bar
	Fit    *page.Tag
	Below  []Inlinee
	Hidden string // "12 more"
}

// ContextRow is a calling context of a function.
type ContextRow struct {
	*sampledb.Entry
	Frames []ContextFrame
	Share  float64 // of the function
	Bar    chart.Bar
}

// ContextFrame is a frame of it.
type ContextFrame struct {
	*sampledb.Name
	At string // where it calls the next: "3", empty of the last
}

// VTableRow is a type whose vtable was seen at a place.
type VTableRow struct {
	Place string
	Name  humanize.Name
	Count humanize.Number
}
