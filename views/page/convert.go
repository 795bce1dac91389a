package page

// Convert is the page of downloads: the forms that a profile can be had in, and what
// becomes of it in each version of the indexed one.
type Convert struct {
	Action     string // of the form, which is this page
	Versions   []ConvertVersion
	HasMemProf bool // there is a heap profile, of which each version says what becomes
	Lossy      Check
	VTables    *Check // nil where the profile has no vtable names, or keeps them anyway

	Title    string // "Version 12"
	Facts    Facts
	Lost     []Line // what is left out, or would be
	Remarks  []Line
	Refused  string // why there is no file; empty when there is
	Download string
	Command  string // that makes the same file

	Others []DownloadForm
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

// DownloadForm is a form of the profile.
type DownloadForm struct {
	ID, Label, URL, For string
	Command             string // that saves it
	Switches            []Switch
}

// Switch is what can be asked of a form: a tick, a number up to High, one of some
// words, the first of which is the default, or else any text.
type Switch struct {
	Name, Does string
	Tick       bool
	High       string
	Words      []string
}
