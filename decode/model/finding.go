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
	Severity Severity `json:"severity" is:"error|warning|note"`
	Code     string   `json:"code" doc:"A stable code."`
	Kind     Kind     `json:"kind,omitempty"`
	File     string   `json:"file,omitempty"`
	Section  string   `json:"section,omitempty"`
	Field    string   `json:"field,omitempty"`
	Offset   uint64   `json:"offset" doc:"Bytes from the start of the file."`
	Expected string   `json:"expected,omitempty"`
	Found    string   `json:"found,omitempty"`
	Message  string   `json:"message"`
	Cause    string   `json:"cause,omitempty" doc:"The likely cause."`
	Remedy   string   `json:"remedy,omitempty" doc:"What to do."`
	Count    uint64   `json:"count,omitempty" doc:"Number of records affected."`
}
