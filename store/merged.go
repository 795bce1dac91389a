package store

import (
	"encoding/json"
	"fmt"

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

// writeMerged and readMerged turn it into a column and back; none is the empty
// string.
func writeMerged(m *Merged) string {
	if m == nil {
		return ""
	}
	text, err := json.Marshal(m)
	if err != nil {
		panic(err) // strings and numbers only
	}
	return string(text)
}

func readMerged(text string) (*Merged, error) {
	if text == "" {
		return nil, nil
	}
	m := new(Merged)
	if err := json.Unmarshal([]byte(text), m); err != nil {
		return nil, fmt.Errorf("what a profile was merged from: %w", err)
	}
	return m, nil
}
