package covweb

import (
	"proflens/handlers/site"
	"proflens/names"
	"proflens/say"
)

// name is a function's name for a page.
func (s *room) name(linkage string, mode names.Mode) say.Name {
	return site.Symbols{Cache: s.Names, Mode: mode}.Name([]byte(linkage), 0)
}

// whole is a name in one string.
func whole(n say.Name) string { return n.Namespace + n.Base + n.Args }
