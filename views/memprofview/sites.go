package memprofview

import (
	"github.com/a-h/templ"

	"proflens/internal/humanize"
	"proflens/profile/memprofdb"
	"proflens/views"
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

	Contexts // the rows, or the heads of Sites
	Sites    []SiteRow
	Shown    string
	Pager    page.Pager
	Empty    *page.Blank
}

// Classes are what the shown contexts come to by class, and the thresholds.
type Classes struct {
	List       []ClassTotal
	Thresholds ThresholdForm
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
	Q, Re, Ignore, Path string
	Classes             []page.Check
	Mixed               []page.Option
	Ranges              []page.RangeField
	Keep                []page.Hidden
}

// Contexts are allocation contexts as rows of a table.
type Contexts struct {
	Names
	Heads    []page.Head // of columns of memprofdb.Allocations
	Rows     []memprofdb.Row
	URL      func(*memprofdb.Row) string        // the page of a context
	Selected func(*memprofdb.Row) page.Selected // nil where rows are not selected
}

func (v *Contexts) selectable(r *memprofdb.Row) templ.Attributes {
	if v.Selected == nil {
		return nil
	}
	return views.Selectable(v.Selected(r))
}

// SiteRow is one site, function, file or folder.
type SiteRow struct {
	page.Selected
	*memprofdb.SiteTotals
	Name     *humanize.Name // of a function
	Label    string         // of a file or a folder
	Title    string
	URL      string
	Place    string
	PlaceURL string // the page of the line; empty where that is not known
	MixedURL string
	Share    float64         // of the bytes of the contexts that match
	Lifetime humanize.Number // empty where it is not known, as Density
	Density  humanize.Number
}

// Context is one allocation context, whole.
type Context struct {
	*memprofdb.Context
	Title    humanize.Name
	Reason   string // why it is of its class
	Tiles    []page.Tile
	List     func(key string, f *memprofdb.Function) string // address of the contexts that have a function
	Fields   []Field
	Missing  string       // fields that the schema lacks
	Strip    *chart.Strip // accesses of each eight bytes
	Accesses float64      // of them all
	Table    Contexts     // other contexts of the site
	Site     string       // address of all contexts of the site
	SiteSays string
	Pruned   string // address of the site as the compiler prunes it; empty without frames
	Crumbs   []page.Link
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

// piecesShown is how many pieces of a histogram the page of a context lists.
const piecesShown = 256
