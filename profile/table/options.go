package table

import "proflens/sources"

// Options are how values are written.
type Options struct {
	Demangle func(linkage string) string // the form of the columns "demangled"
	Quote    bool                        // counts are JSON strings, for JavaScript
	Sources  *sources.Links              // of the profile; nil for none
}
