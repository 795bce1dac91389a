package catalog

import "proflens/decode/model"

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
	// Contribution is what it has in the sum; nil where that was not told.
	Contribution *Contribution `json:"contribution,omitempty"`
	LeftOut      string        `json:"left_out,omitempty"` // why it is not in the sum
}

// Contribution is what one input has in a sum of counters.
type Contribution struct {
	Functions     uint64   `json:"functions"`      // records with a count
	Counters      uint64   `json:"counters"`       // that are not 0
	Count         string   `json:"count"`          // of them all, times the weight; decimal, since it can pass 64 bits
	OnlyFunctions uint64   `json:"only_functions"` // that no other input has a count of
	OnlyCounters  uint64   `json:"only_counters"`
	Overlap       *float64 `json:"overlap,omitempty"` // with the sum of all others, of 1
}
