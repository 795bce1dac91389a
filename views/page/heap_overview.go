package page

// HeapOverview is the first page of a heap profile. Of the overview it has what
// every profile has: files, findings, notes.
type HeapOverview struct {
	Overview
	Heap HeapSummary
}

// HeapSummary is what there is to say of a heap profile at a glance.
type HeapSummary struct {
	Tiles   []Tile
	Classes HeapClasses
	Scatter *Scatter
	Heads   []Head
	Largest []HeapSiteRow
	All     string // address of all sites
	Sites   string // how many
	Flame   string // address of the flame graph
	Wanted  *WantedFiles
	Modules []HeapModule
	Empty   *Blank
	Note    string // how the stored summary differs
}

// WantedFiles asks for executables that would give names to addresses.
type WantedFiles struct {
	Text       string
	Action     string
	NeedsToken bool
}

// HeapModule is an executable segment of a raw profile.
type HeapModule struct {
	Name     string
	BuildID  string // in full; empty where it is not known
	Range    string // of addresses
	State    Tag
	Frames   string
	Contexts string
}

// FunctionHeap is what a heap profile says of one function.
type FunctionHeap struct {
	Says  string
	Own   []Fact
	Heads []Head
	Rows  []HeapContextRow
	All   string // address of its contexts
	More  string // how many more there are
	Flame string // its sandwich
}

// HeapRecords is a page of a list of a heap profile that has no figures of
// allocation: call sites, or accesses to static data.
type HeapRecords struct {
	Title, Note string
	Says        string
	CSV         string
	Heads       []Head
	CallSites   []CallSiteRow
	Data        []DataRow
	Shown       string
	Pager       Pager
	Modes       []Segment
	Empty       *Blank
}

// CallSiteRow is a call on the way to an allocation.
type CallSiteRow struct {
	Place   string
	Owner   NameLink
	Frames  []HeapFrame
	Callees []NameLink
}

// DataRow is a symbol or a string literal with its accesses.
type DataRow struct {
	Symbol   string
	Kind     string // "symbol", "string literal"
	Accesses Number
	Share    string
	Bar      Bar
	Cold     bool
	Declared []string
}
