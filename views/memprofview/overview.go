package memprofview

import (
	"proflens/views/page"
)

// Overview is the first page of a heap profile. Of the overview it has what
// every profile has: files, findings, notes.
type Overview struct {
	page.Overview
	Heap Summary
}

// Summary is what there is to say of a heap profile at a glance.
type Summary struct {
	Tiles      []page.Tile
	Classes    Classes
	Scatter    *Scatter
	Heads      []page.Head
	Largest    []BlameRow
	All        string // address of all sites
	Sites      string // how many
	Flame      string // address of the flame graph
	Wanted     *WantedFiles
	Modules    []Module // those of most frames without names
	AllModules page.Link
	Stacks     page.Facts // how much call stacks share
	Empty      *page.Blank
	Note       string // how the stored summary differs
}

// WantedFiles asks for executables that would give names to addresses.
type WantedFiles struct {
	ID     string // of the profile
	Text   string
	Action string
}

// Module is an executable segment of a raw profile.
type Module struct {
	Name     string
	BuildID  string // in full; empty where it is not known
	Range    string // of addresses
	State    page.Tag
	Frames   string
	Contexts string
}

// OfFunction is what a heap profile says of one function.
type OfFunction struct {
	Says  string
	Own   page.Facts
	Heads []page.Head
	Rows  []ContextRow
	All   string // address of its contexts
	More  string // how many more there are
	Flame string // its sandwich
}
