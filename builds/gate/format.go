package gate

import "io"

// Format is a form of reports.
type Format struct {
	Name, Media string
	Write       func(w io.Writer, r *Report) error
}

// Formats are all forms.
var Formats = []Format{
	{"text", "text/plain", WriteText},
	{"markdown", "text/markdown", WriteMarkdown},
	{"junit", "application/xml", WriteJUnit},
	{"sarif", "application/sarif+json", WriteSARIF},
	{"json", "application/json", WriteJSON},
}

// FormatOf is the form of a name; nil where there is none.
func FormatOf(name string) *Format {
	for i := range Formats {
		if Formats[i].Name == name {
			return &Formats[i]
		}
	}
	return nil
}
