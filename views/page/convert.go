package page

// Convert is the page on which a profile is written in another form, already
// formatted.
type Convert struct {
	Action     string // of the form, which is this page
	Versions   []ConvertVersion
	HasMemProf bool // there is a heap profile, of which each version says what becomes
	Lossy      Check
	VTables    *Check // nil where the profile has no vtable names, or keeps them anyway

	Title    string // "Version 12"
	Facts    []Fact
	Lost     []Line // what is left out, or would be
	Remarks  []Line
	Refused  string // why there is no file; empty when there is
	Download string
	Command  string // that makes the same file

	Others []ConvertExport
	JSON   string
	Empty  *Blank // instead of all that
}

// ConvertVersion is one indexed version to choose.
type ConvertVersion struct {
	Value    string
	Checked  bool
	Default  bool
	Releases string // "LLVM 19 and newer"
	Loses    string // "nothing", "2 kinds of data"
	Loss     bool
	Hashes   Tag
	Heap     string // "MemProf 3", "left out"; empty without a heap profile
	Concerns string // "12 functions"; empty where there is nothing to say
}

// Line is a finding in a line.
type Line struct {
	Severity Tag
	Text     string
	More     string // cause and remedy
}

// ConvertExport is another form of the profile.
type ConvertExport struct{ Label, URL, For string }
