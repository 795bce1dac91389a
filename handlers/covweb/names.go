package covweb

import (
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
)

// name is a function's name for a page.
func (s *handler) name(linkage string, mode names.Mode) humanize.Name {
	return site.Symbols{Cache: s.Names, Mode: mode}.Name([]byte(linkage), 0)
}

// whole is a name in one string.
func whole(n humanize.Name) string { return n.Namespace + n.Base + n.Args }
