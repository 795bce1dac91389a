package page

import (
	"proflens/internal/humanize"
)

// Neighbour is the function before or after in the default order.
type Neighbour struct {
	Rank string
	Name humanize.Name
	URL  string
}

// Place is a line of a source file.
type Place struct {
	Label string // "lib/x.c:12"
	Title string // the file as recorded
	URL   string // of its page at the line
}

// FunctionName is what the page of a function of any family begins with.
type FunctionName struct {
	Title   string // of the browser's tab
	Name    humanize.Name
	Linkage string // the linkage name, mangled
	PGOName string // with its prefix, when that is not the linkage name
	Path    string
	PathURL string // the functions of that file
	Place   *Place // where it is declared; nil where that is not known
	FID     string // 16 hex digits
	NameRef string // 0x and the same digits
	Missing string // why there is no name
	Whole   string // where the whole of a very long name is; empty for others

	Prev *Neighbour
	Next *Neighbour
}
