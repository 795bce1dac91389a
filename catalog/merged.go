package catalog

import (
	"proflens/decode/model"
)

// Merged says what a profile was merged from. It is written once, with the
// profile, and outlives the profiles it names.
type Merged struct {
	Inputs []MergedInput `json:"inputs"`
	// Findings are what merging had to say, such as records left out: the merged
	// file does not show it any more.
	Findings []model.Finding `json:"findings,omitempty"`
}

// MergedInput is one of the profiles that were merged.
type MergedInput struct {
	// ID is empty where telling it would give an unlisted profile away.
	ID       string          `json:"id,omitempty"`
	Name     string          `json:"name"`
	Digest   string          `json:"digest"` // SHA-256 over its files' digests
	Describe string          `json:"describe"`
	Weight   uint64          `json:"weight"`
	Partial  []model.Partial `json:"partial,omitempty"` // it was not whole
}
