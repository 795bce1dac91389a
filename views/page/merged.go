package page

// Merged says what a profile was merged from.
type Merged struct {
	Inputs   []MergedInput
	More     string // how many there are beyond these; empty for none
	MoreURL  string // where all of them are
	Findings []Finding
}

// MergedInput is one of them; URL is empty where it is not told. Has is what it has in
// the sum, LeftOut why it is not in it; both may be empty.
type MergedInput struct{ Name, URL, Describe, Weight, Digest, Partial, Has, LeftOut string }
