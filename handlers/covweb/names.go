package covweb

import (
	"proflens/internal/humanize"
	"proflens/names"
)

// name is a function's name for a page.
func (s *handler) name(linkage string, mode names.Mode) humanize.Name {
	if s.demangle != nil {
		return humanize.Name{Base: humanize.Printable(s.demangle(linkage))}
	}
	return s.Symbols(mode).Name([]byte(linkage), 0)
}

// fullName is a function's name with all that a demangler makes of it.
func (s *handler) fullName(linkage string) string {
	if s.demangle != nil {
		return s.demangle(linkage)
	}
	return s.Names.Demangle(linkage, names.Full)
}
