package table

import "proflens/analyze/sources"

// Options are how values are written. They keep what they last made a value of, so that each goroutine
// has its own.
type Options struct {
	Demangle func(linkage string) string // the form of the columns "demangled"
	Quote    bool                        // counts are JSON strings, for JavaScript
	Sources  *sources.Links              // of the profile; nil for none

	linked [2]string    // the last file that SourceURL was of: rows of one follow each other
	link   sources.Link // of it

	pgo, path, linkage string // the last name that was cut, and its parts: columns of one follow each other
}

// SourceURL is where a line is on another host, or with line 0 its file; null where it is
// nowhere. name and shared are the file's, as [sources.Links.File] has them.
func (o *Options) SourceURL(name, shared string, line uint32) Cell {
	if o.Sources == nil {
		return Null
	}
	if file := [2]string{name, shared}; o.linked != file {
		o.linked, o.link = file, o.Sources.File(name, shared)
	}
	to := o.link.Whole()
	if line > 0 {
		to = o.link.At(line)
	}
	if to == "" {
		return Null
	}
	return Text(to)
}
