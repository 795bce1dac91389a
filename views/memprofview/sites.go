package memprofview

import (
	"proflens/internal/humanize"
	"proflens/views/chart"
	"proflens/views/page"
)

// Sites is a page of allocation contexts, or of the sites that they are of.
type Sites struct {
	Title     string
	Ways      []page.Segment // by context, function, line, file
	Modes     []page.Segment // how names are written
	Quick     page.QuickFilter
	Inspector *page.Inspector // nil when no row is selected
	Action    string
	Classes   Classes
	Filter    FilterForm
	Chips     []page.Chip
	Clear     string
	Columns   *page.ColumnMenu // of contexts; nil for sites
	CSV       string
	Crumbs    []page.Link // folders above; of files only
	Notes     []string
	Scatter   *Scatter // on the page of lifetimes

	Heads    []page.Head
	Contexts []ContextRow
	Sites    []SiteRow
	Shown    string
	Pager    page.Pager
	Empty    *page.Blank
}

// Classes are what the shown contexts come to by class, and the thresholds.
type Classes struct {
	List       []ClassTotal
	Action     string
	Thresholds []page.RangeField
	Keep       []page.Hidden
	Default    string // address with the compiler's thresholds; empty where they are in force
}

// ClassTotal is one class with what it comes to.
type ClassTotal struct {
	Tag      page.Tag
	Bytes    humanize.Number
	Share    string
	Contexts string
	URL      string // the contexts of it
	Current  bool
	X, Width string // in a bar of 1000 units
	Fill     string // class of the bar
}

// FilterForm is every filter of contexts as a form.
type FilterForm struct {
	Q, Re, Focus, Ignore, Path string
	Classes                    []page.Check
	Mixed                      []page.Option
	Ranges                     []page.RangeField
	Keep                       []page.Hidden
}

// ContextRow is one allocation context. Cells are as many as there are
// heads; those of the function and the class are empty.
type ContextRow struct {
	page.Selected
	URL   string
	Name  humanize.Name
	Place string // in the source
	// PlaceURL is the page of the line; empty where that is not known.
	PlaceURL string
	// Via is the library's function that allocates for it, and where; empty for none.
	Via, ViaPlace string
	User          humanize.Name // whom it allocates for; its Base may be empty
	Stack         string        // the callers, in the title
	Class         page.Tag
	Mixed         bool
	Cells         []humanize.Number
}

// SiteRow is one site, function, file or folder.
type SiteRow struct {
	page.Selected
	Name     *humanize.Name // of a function
	Label    string         // of a file or a folder
	Title    string
	URL      string
	Place    string
	PlaceURL string // the page of the line; empty where that is not known
	Mixed    string // "needs cloning", "3 need cloning"; empty for none
	MixedURL string
	Calls    string
	Contexts humanize.Number
	Bytes    humanize.Number
	Share    string
	Bar      chart.Bar
	Count    humanize.Number
	Cold     humanize.Number
	Hot      humanize.Number
	Accesses humanize.Number
	Lifetime humanize.Number
	Density  humanize.Number
}

// Context is one allocation context, whole.
type Context struct {
	Title    humanize.Name
	Class    page.Tag
	Reason   string // why it is of this class
	Mixed    bool
	Tiles    []page.Tile
	Frames   []Frame
	Recorded []NameLink // functions under which the file has it
	Fields   []Field
	Missing  string       // fields that the schema lacks
	Strip    *chart.Strip // accesses of each eight bytes
	Pieces   []Piece
	More     string // pieces that are not listed
	Siblings []ContextRow
	Heads    []page.Head
	Site     string // address of all contexts of the site
	SiteSays string
	Pruned   string // address of the site as the compiler prunes it; empty without frames
	Crumbs   []page.Link
}

// NameLink is a function with its page.
type NameLink struct {
	Name humanize.Name
	URL  string
}

// Frame is a level of a stack.
type Frame struct {
	Level string
	Name  humanize.Name
	URL   string // contexts through it
	Place string
	// PlaceURL is the page of the line; empty where that is not known.
	PlaceURL string
	Inline   bool
	Allocs   bool // the first one that allocates
}

// Field is a field of a memory info block.
type Field struct {
	Name  string // in LLVM
	RFC   string // in the RFC; empty where it has none
	Value humanize.Number
	Unit  string
	Means string
	Each  humanize.Number // by object; empty where that says nothing
}

// Piece is eight bytes of the objects of a context.
type Piece struct{ Offset, Accesses, Share string }
