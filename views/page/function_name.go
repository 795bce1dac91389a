package page

import (
	"proflens/say"
)

// Neighbour is the function before or after in the default order.
type Neighbour struct {
	Rank string
	Name say.Name
	URL  string
}

// FunctionName is what the page of a function of any family begins with.
type FunctionName struct {
	Title   string // of the browser's tab
	Name    say.Name
	Linkage string // the linkage name, mangled
	PGOName string // with its prefix, when that is not the linkage name
	Path    string
	PathURL string // the functions of that file
	FID     string // 16 hex digits
	NameRef string // 0x and the same digits
	Missing string // why there is no name
	Whole   string // where the whole of a very long name is; empty for others

	Prev *Neighbour
	Next *Neighbour
}
