package covview

import "proflens/internal/humanize"

// Detail is what unfolds under a line: one of its members is set.
type Detail struct {
	Conditions []Sides
	Decision   *Decision
	Expansion  *Expansion
	Instances  *Instances
}

// Decision is a table of MC/DC.
type Decision struct {
	Tag        string // "MC/DC 0 of 2"
	Missed     bool
	Text, At   string // of the source, and "126:9–126:53"
	Says       string // "needs 3 test vectors, 1 ran"
	Conditions []ConditionHead
	Vectors    []Vector
	More       string
	Note       string
}

// ConditionHead is a condition's column.
type ConditionHead struct {
	Name, At string // "C1", "126:9"
	Constant bool
	Missed   bool
}

// Vector is a row: one that ran, or one that is missing.
type Vector struct {
	Number  string
	Values  []Value
	Result  string
	Missing bool
	Says    string
}

// Value is a condition's in a vector.
type Value struct {
	Text  string // "T", "F", "any", "–"
	Shows bool   // it is what the pair differs in
}

// Expansion is what a macro or an include stands for.
type Expansion struct {
	Tag   string // "macro"
	Text  string // of the source
	Place string // "memory/SharedPtr.hpp:34"
	URL   string
	Says  string
	Lines []Line
	More  string
}

// Instances are functions that begin at one place.
type Instances struct {
	Ran, Never string // "157 ran", "18 never ran"
	Count      string // "175 instantiations"
	Line       string // where they begin
	Says       string
	Rows       []Instance
	More       string
	Nevers     []string
	NeverMore  string
}

// Instance is one of them.
type Instance struct {
	Name  string
	Title string
	Count humanize.Number
	Bar   Bar
	Lines string
	MCDC  string
}
