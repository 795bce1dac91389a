package page

import (
	"strings"

	"proflens/internal/humanize"
	"proflens/views/chart"
)

// Overview is the first page of a profile, already formatted.
type Overview struct {
	Describe string   // "LLVM indexed v13, IR, entry first"
	Notes    []string // what the variant flags mean for the reader
	Empty    string   // why there is nothing to draw; empty when there is

	Tiles        []Tile
	Curve        *chart.Curve
	Distribution *chart.Distribution
	Summaries    []Summary
	Quality      *Quality // nil where there are no records

	FunctionsURL string
	Functions    string // how many

	Findings     []Finding
	FindingCount string
	MoreFindings string // "12 more"; empty when all are shown
	FindingsURL  string
	RawURL       string
	IDsURL       string
	File         FileCard
	Merged       *Merged // nil for an upload
	First        []Part  // by families that lead
	Added        []Part  // by others
}

// Tile is one of the figures at the top.
type Tile struct {
	Label string
	Value humanize.Number
	Aside string // behind the value, small; may be empty
	Note  string
	URL   string // of the note; may be empty
	Title string // of the note
	ID    string // data-testid
	How   How
}

// Summary is the detailed summary of the plain or the context-sensitive records.
type Summary struct {
	Title   string
	Caption string
	Rows    []SummaryRow // those that tell most
	Whole   []SummaryRow // all of them, where there are more
	AllSays string       // "16 cutoffs"; empty where there are no more
}

// SummaryRow is one cutoff. Class is "hot" on the row that sets the hot
// threshold, "cold" on the one that sets the cold threshold.
type SummaryRow struct {
	Cutoff, Counters string
	MinCount         humanize.Number
	Class            string
}

// Finding is one diagnostic in a line.
type Finding struct {
	Severity string // error, warning, note
	Code     string
	Message  string
	Where    string // file, section, offset
	URL      string // the rows it counts; may be empty
	Cause    string
	Remedy   string
}

// FileCard says what the profile is made of.
type FileCard struct {
	Size       humanize.Number
	Sections   []FileSection
	Facts      Facts
	Inputs     []FileInput
	MoreInputs int
	IDs        []string // binary ids
	MoreIDs    int
}

// FileSection is a part of the section bar, in a box of 1000 units.
type FileSection struct {
	X, Width string
	Name     string
	Size     humanize.Number
	Category int // 0 to 11
}

// NewFileSection lays a section of size bytes at offset at on the bar of a
// file of all bytes; i numbers the sections.
func NewFileSection(name string, i int, at, size, all uint64) FileSection {
	scale := 1000 / float64(max(all, 1))
	return FileSection{
		X: chart.Decimal(float64(at) * scale), Width: chart.Decimal(max(float64(size)*scale, 1)),
		Name: name, Size: humanize.Bytes(size), Category: i % 12,
	}
}

// Fact is a term and its value.
type Fact struct {
	Term, Value, Note string
	One               string // the term in a sentence about one, where it has a plural
}

// Facts are facts in the order in which they are read.
type Facts []Fact

// Add adds a fact, with a note or without.
func (f *Facts) Add(term, value string, note ...string) {
	*f = append(*f, Fact{Term: term, Value: value, Note: strings.Join(note, "")})
}

// FileInput is one file of the profile.
type FileInput struct {
	Name, Describe string
	Size           humanize.Number
	SHA256, Digest string // in full, and its first digits
}
