package page

// Problem is a fault as a person is told of it: what was read, where, why it is
// wrong, what to do.
type Problem struct {
	Title     string // one sentence
	Detail    string
	Severity  Tag
	Kind      string // the field's own term: "truncated"
	Code      string // stable: "raw.truncated"
	File      string
	Place     string // section and field: "header, NumCounters"
	Offset    string // "0x319800 (byte 3 250 176)"
	Expected  string
	Found     string
	Cause     string
	Remedy    string
	RequestID string
	Profile   string // address of the profile it is about; may be empty
	Login     string // where a token can be given; may be empty
}
