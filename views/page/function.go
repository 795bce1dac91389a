package page

// Function is everything about one function, already formatted.
type Function struct {
	Title   string // of the browser's tab
	Name    Name
	Linkage string // the linkage name, mangled
	PGOName string // with its prefix, when that is not the linkage name
	Path    string
	PathURL string // the functions of that file
	FID     string // 16 hex digits
	NameRef string // 0x and the same digits
	Missing string // why there is no name

	Records  []RecordRow
	Contexts *Contexts // nil unless there are a plain and a context-sensitive record
	Record   Record    // the one shown
	Added    []Part    // by other families
	Prev     *Neighbour
	Next     *Neighbour
}

// RecordRow is one FuncHash of the name.
type RecordRow struct {
	Hash     string
	URL      string
	Current  bool
	Kind     string // plain, context-sensitive
	Class    Class
	Rank     string
	Total    Number
	Share    string
	Max      Number
	Counters string
}

// Record is the record shown in full.
type Record struct {
	Hash       string
	Rank       string
	Of         string // records of the profile
	Class      Class
	CS         bool
	Pseudo     string // what a pseudo-count record says; empty for a real one
	NoCounters string
	Figures    []Tile

	Strip    *Strip
	Counters []CounterBar
	Range    string // "0–999 of 12 345 counters"
	Pager    Pager
	Legend   HeatLegend

	Sites  []SiteKind
	Bitmap *Bitmap
}

// SiteKind is the value sites of one kind.
type SiteKind struct {
	ID    string // anchor
	Title string
	Note  string
	Sites []Site
	More  string // how many further sites are not shown, and where they are
	Empty string // how many sites recorded nothing
	Count string
}

// Site is one value site.
type Site struct {
	Index   string
	Total   Number
	Targets []Target
}

// Neighbour is the function before or after in the default order.
type Neighbour struct {
	Rank string
	Name Name
	URL  string
}
