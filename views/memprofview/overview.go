package memprofview

import (
	"proflens/internal/humanize"
	"proflens/profile/memprofdb"
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
	Names
	Tiles      []page.Tile
	Classes    Classes
	Scatter    *Scatter
	Heads      []page.Head
	Largest    []BlameRow
	All        string // address of all sites
	Sites      string // how many
	Flame      string // address of the flame graph
	Wanted     *WantedFiles
	Modules    []memprofdb.Module // those of most frames without names
	AllModules page.Link
	Stacks     page.Facts // how much call stacks share
	Empty      *page.Blank
}

// WantedFiles asks for executables that would give names to addresses.
type WantedFiles struct {
	ID     string // of the profile
	Text   string
	Action string
}

// ModuleState says whether a module's executable is wanted.
func ModuleState(m *memprofdb.Module) page.Tag {
	switch {
	case m.File != "":
		return page.Tag{Text: "given", Tone: page.Good, Title: humanize.Printable(m.File)}
	case m.Frames > 0:
		return page.Tag{Text: "wanted", Tone: page.Caution, Title: "its frames have no names"}
	}
	return page.Tag{Text: "not needed", Tone: page.Neutral, Title: "it has no unnamed frames"}
}

// OfFunction is what a heap profile says of one function.
type OfFunction struct {
	Contexts
	Says  string
	Own   page.Facts
	All   string // address of its contexts
	More  string // how many more there are
	Flame string // its sandwich
}
