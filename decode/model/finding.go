package model

// Severity ranks a Finding.
type Severity string

// The severities, worst first.
const (
	Error   Severity = "error"   // the file, or a part of it, could not be decoded
	Warning Severity = "warning" // decoded, but the result needs a second look
	Note    Severity = "note"    // worth knowing
)

// Finding is one observation about an input: a fault that stopped decoding, a
// warning the compiler's own tool would print, or something worth knowing.
type Finding struct {
	Severity Severity `json:"severity"`
	Code     string   `json:"code"` // stable, such as "raw.truncated" or "merge.count_mismatch"
	Kind     Kind     `json:"kind,omitempty"`
	File     string   `json:"file,omitempty"`
	Section  string   `json:"section,omitempty"`
	Field    string   `json:"field,omitempty"`
	Offset   uint64   `json:"offset"`
	Expected string   `json:"expected,omitempty"`
	Found    string   `json:"found,omitempty"`
	Message  string   `json:"message"`
	Cause    string   `json:"cause,omitempty"`  // the likely cause, for a person
	Remedy   string   `json:"remedy,omitempty"` // what to do
	Count    uint64   `json:"count,omitempty"`  // how many records it concerns, when more than one
}
