package page

import (
	"proflens/internal/humanize"
	"proflens/views/chart"
)

// Raw is the page of one file's bytes: its sections, the values in one of
// them, and the bytes around an offset.
type Raw struct {
	Name     string
	Format   string
	Size     humanize.Number
	SHA256   string
	Original string // downloads the file
	JSON     string
	GoTo     GoTo

	Function *RawFunction        // nil where the file has no records of functions
	Strip    *chart.SectionStrip // nil for an empty file
	Sections []RawSection
	Earlier  *Link // sections before those listed
	Later    *Link
	Values   *RawValues // of the selected section; nil when there is none
	Findings []Diagnosis
	Fault    *Diagnosis // what stopped the reading; one of Findings
	Hex      HexView
	Salvage  *Salvage // nil when there is nothing to salvage
}

// GoTo is the form that chooses a file and an offset.
type GoTo struct {
	Action string
	Files  []Option // empty for a single file
	At     string
}

// RawSection is a row of the table of sections. Bytes that belong to none have
// a row too, without a colour.
type RawSection struct {
	Name     string
	URL      string // its bytes
	Category int    // of its colour, 0 to 11; -1 for bytes in no section
	Offset   string
	Size     string // bytes
	Share    string // of the file
	Note     string
	Selected bool
}

// RawValues are the values in one section, in file order.
type RawValues struct {
	Section string
	Place   string // "0x80, 32 bytes"
	Rows    []RawValue
	Filter  QuickFilter // without an action there is none
	Chips   []Chip
	Rest    string // said when bytes follow whose values are not listed
	RestURL string
	Range   string // "257–512 of 1 170" of the values; empty when all are listed
	Pager   Pager
}

// RawValue is one value as it stands in the file.
type RawValue struct {
	Name, URL      string
	Offset, Size   string
	Value, Meaning string
	Decimal        string // where the value is in hexadecimal
	Selected       bool
}

// RawFunction is where the data of one function stand, and the form that asks for
// one.
type RawFunction struct {
	Action, File, Words string // of the form
	None                string // said when there is none such; empty when none was asked for

	Name, URL      string // empty without a function
	Record         string // "record 3 of 12, counted from 0"
	Previous, Next string // records
	Matches        []RawMatch
	Sums           []RawSum
}

// RawMatch is another function, or another record of the same.
type RawMatch struct{ Name, Hash, URL string }

// RawSum is a worked sum: how a part of a function is found.
type RawSum struct {
	Of           string
	Place, Bytes string // where the part stands; empty where it has no place in the file
	Terms        []RawTerm
	Values       []string
	More         string
	Note         string
}

// RawTerm is a line of a sum; URL leads to the number's bytes.
type RawTerm struct {
	Sign, Name, Value, Note string
	URL                     string
	Result                  bool
}
