package page

// Merged says what a profile was merged from.
type Merged struct {
	Inputs   []MergedInput
	Findings []Finding
}

// MergedInput is one of them; URL is empty where it is not told.
type MergedInput struct{ Name, URL, Describe, Weight, Digest, Partial string }
