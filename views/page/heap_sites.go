package page

// HeapSites is a page of allocation contexts, or of the sites that they are of.
type HeapSites struct {
	Title   string
	Ways    []Segment // by context, function, line, file
	Modes   []Segment // how names are written
	Action  string
	Classes HeapClasses
	Filter  HeapFilterForm
	Chips   []Chip
	Clear   string
	Columns *ColumnMenu // of contexts; nil for sites
	CSV     string
	Crumbs  []Crumb // folders above; of files only
	Notes   []string
	Scatter *Scatter // on the page of lifetimes

	Heads    []Head
	Contexts []HeapContextRow
	Sites    []HeapSiteRow
	Shown    string
	Pager    Pager
	Empty    *Blank
}

// HeapClasses are what the shown contexts come to by class, and the thresholds.
type HeapClasses struct {
	List       []HeapClassTotal
	Action     string
	Thresholds []RangeField
	Keep       []Hidden
	Default    string // address with the compiler's thresholds; empty where they are in force
}

// HeapClassTotal is one class with what it comes to.
type HeapClassTotal struct {
	Tag      Tag
	Bytes    Number
	Share    string
	Contexts string
	URL      string // the contexts of it
	Current  bool
	X, Width string // in a bar of 1000 units
	Fill     string // class of the bar
}

// HeapFilterForm is every filter of contexts as a form.
type HeapFilterForm struct {
	Q, Re, Focus, Ignore, Path string
	Classes                    []Check
	Mixed                      []Option
	Ranges                     []RangeField
	Keep                       []Hidden
}

// HeapContextRow is one allocation context. Cells are as many as there are
// heads; those of the function and the class are empty.
type HeapContextRow struct {
	URL   string
	Name  Name
	Place string // in the source
	Stack string // the callers, in the title
	Class Tag
	Mixed bool
	Cells []Number
}

// HeapSiteRow is one site, function, file or folder.
type HeapSiteRow struct {
	Name     *Name  // of a function
	Label    string // of a file or a folder
	Title    string
	URL      string
	Place    string
	Mixed    string // "needs cloning", "3 need cloning"; empty for none
	MixedURL string
	Calls    string
	Contexts Number
	Bytes    Number
	Share    string
	Bar      Bar
	Count    Number
	Cold     Number
	Hot      Number
	Accesses Number
	Lifetime Number
	Density  Number
}

// HeapContext is one allocation context, whole.
type HeapContext struct {
	Title    Name
	Class    Tag
	Reason   string // why it is of this class
	Mixed    bool
	Tiles    []Tile
	Frames   []HeapFrame
	Recorded []NameLink // functions under which the file has it
	Fields   []HeapField
	Missing  string // fields that the schema lacks
	Strip    *Strip // accesses of each eight bytes
	Pieces   []HeapPiece
	More     string // pieces that are not listed
	Siblings []HeapContextRow
	Heads    []Head
	Site     string // address of all contexts of the site
	SiteSays string
	Crumbs   []Crumb
}

// NameLink is a function with its page.
type NameLink struct {
	Name Name
	URL  string
}

// HeapFrame is a level of a stack.
type HeapFrame struct {
	Level  string
	Name   Name
	URL    string // contexts through it
	Place  string
	Inline bool
	Allocs bool // the first one that allocates
}

// HeapField is a field of a memory info block.
type HeapField struct {
	Name  string // in LLVM
	RFC   string // in the RFC; empty where it has none
	Value Number
	Unit  string
	Means string
	Each  Number // by object; empty where that says nothing
}

// HeapPiece is eight bytes of the objects of a context.
type HeapPiece struct{ Offset, Accesses, Share string }
