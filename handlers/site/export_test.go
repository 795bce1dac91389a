package site

// What stands in a terminal, and on the picture of a link.
var (
	TextFigures = (*ProfileWriter).figures
	Facts       = (*Family).facts
)

// String is what was written.
func (t *ProfileWriter) String() string { return t.b.String() }
