package covview

import (
	"proflens/internal/humanize"
	"proflens/profile/covdb"
	"proflens/views/chart"
	"proflens/views/page"
	"proflens/views/sourceview"
)

// Files is the page of coverage by directory and file.
type Files struct {
	Title    string // "Directories and files", or the directory
	Measures []Measure
	Findings []Finding
	Of       string         // which files the totals are of; empty of all
	Kinds    []page.Segment // switches: files that are not one's own, and what is left out of numbers
	LeftOut  string         // how much that is; empty for nothing
	Why      string         // what the totals are made of
	Notes    []string       // why columns have nothing
	Inst     []page.Segment // best, union
	Crumbs   []page.Link
	Count    string // "87 files"
	Quick    page.QuickFilter
	Under    *page.Segment // only what is under the goal
	Chips    []page.Chip
	Clear    string
	CSV      string
	Heads    []page.Head
	Rows     []FileRow
	Union    bool // lines, regions and branches of rows are those of the union
	Goal     int  // percent of the lines
	Map      *chart.Treemap
	MapNote  string // what it leaves out
	Longest  []LongRow
	Never    string // address of all that never ran
	NeverN   string
	Shown    string
	Partly   string // what partly means, and how many lines
	Pager    page.Pager
	Empty    *page.Blank
}

// Finding is something that does not fit, with the list of what it is about.
type Finding struct {
	Tag       page.Tag
	Link, URL string
	Text      string
}

// FileRow is a directory or a file.
type FileRow struct {
	*covdb.Node
	Folder string // in flat lists: the file's directory, with a slash
	URL    string
	Open   bool
	Into   string // address of a directory by itself
	Indent int
	Source *sourceview.Elsewhere // of a file
}

// title is what a row is in full.
func (r *FileRow) title() string {
	if r.File != nil {
		return humanize.Printable(r.File.Name)
	}
	return humanize.Printable(r.Path)
}

// LongRow is a function that never ran.
type LongRow struct {
	*covdb.Function
	Name humanize.Name
	URL  string
}
