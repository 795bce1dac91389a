package page

// Diagnostics is the page of a profile's findings.
type Diagnostics struct {
	Filter     QuickFilter // without an action there is none
	Severities []Segment
	Findings   []Diagnosis
	Summary    string // "1 error, 2 notes"
	Pager      Pager
	Blank      Blank // when there is nothing to report
	JSON       string
	Salvage    *Salvage // nil when there is nothing to salvage
}

// Salvage offers to decode the readable beginning of a file that ends too soon.
type Salvage struct {
	ID     string // of the profile
	Action string
	Text   string // "Records 1–41 of 90 can be read"
}

// Diagnosis is one finding in full, with the way to the bytes it is about.
type Diagnosis struct {
	ID       string // of its element: "finding-1"
	Severity Tag
	Code     string
	Title    string
	File     string
	Section  string
	Field    string
	Offset   string // empty when it is about no place
	Bytes    string // address of the bytes at the offset; may be empty
	Expected string
	Found    string
	Records  string // how many it concerns, when more than one
	Rows     string // address of the list of them; may be empty
	Cause    string
	Remedy   string
}
