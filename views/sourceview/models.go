// Package sourceview is the components of source files and of their lines, with whatever
// figures a profile has of them.
package sourceview

import (
	"proflens/internal/humanize"
	"proflens/views/chart"
	"proflens/views/page"
)

// Files is the list of source files.
type Files struct {
	page.List
	Ways   []page.Segment // the tree, the list
	Rows   []FileRow
	Weight int // which figure shares are of
}

// FileRow is a file of it.
type FileRow struct {
	Dir, Name, Title string            // in a list, what stands before the name
	URL              string            // of its page; of a directory, with it opened or closed
	Figures          []humanize.Number // by column
	Share            string
	Bar              chart.Bar
	IsDir, Open      bool
	Files            string // "12 files", of a directory
	Indent           int
}

// Source is a file, line by line.
type Source struct {
	Dir, Name      string // "src/", "node.cpp"
	Sums           []Fact
	Ways           []page.Segment // all lines, those with figures
	Previous, Next string         // lines with figures around the selected one
	NoText         bool
	Embedded       bool     // the text is that which the program holds
	Ask            *AskText // nil where the text is there and fits
	Heads          []Head   // of the figures
	Rows           []Line
	Inspector      *Inspector
	Heaviest       *Heaviest // while no line is selected; nil for none
	Shown          string
	Earlier, Later string // addresses of the lines before, and after
	CSV            string
	Elsewhere      *Elsewhere // nil where nothing says where the sources are
}

// Head is a column of figures.
type Head struct{ Label, Title string }

// Fact is a figure with what it is of.
type Fact struct {
	Term  string
	Value humanize.Number
}

// Line is a line of source.
type Line struct {
	page.Selected
	ID, Number string // of its anchor: "L126"
	Has        bool   // it has figures
	Figures    []humanize.Number
	Bar        chart.Bar
	Text       []Code
	Source     string // its address on another host; empty for none
}

// Inspector says what is at the selected line.
type Inspector struct {
	Title, Close string
	Missing      string // why there is nothing
	Facts        []Fact
	Groups       []LineGroup
	Elsewhere    *Elsewhere
}

// Heaviest are the lines of a file with the most of a figure.
type Heaviest struct {
	Title string
	Rows  []HeavyLine
}

// HeavyLine is one of them.
type HeavyLine struct {
	Number, URL, Text string
	Value             humanize.Number
}

// Code is a part of a line of source.
type Code struct {
	Text  string
	Class string
	Title string
}

// Elsewhere is where a file, or a line of it, is on another host.
type Elsewhere struct {
	Host string
	URL  string // empty where it is not there
	Why  string // it is not
}

// AskText says that the text of a file is missing, or does not fit, and how to give it.
type AskText struct {
	Title, Text string
	Command     string // for a terminal
	Says        string // "0 of 87 files have text."
	Action      string // of the form; empty where nobody can add
	ID, Back    string
}

// LineGroup is what a family has at a line of a source file.
type LineGroup struct {
	Title string // "Functions declared here"
	Rows  []LineThing
	More  string // "12 more"; empty for none
}

// LineThing is a function, a call or an address.
type LineThing struct {
	Name  humanize.Name
	URL   string
	Value humanize.Number
}
