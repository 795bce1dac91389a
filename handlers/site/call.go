package site

import (
	"net/http"
	"strings"

	"proflens/profile/stored"
)

// Said is what the document of the API has of a route beside its address: the parameters that
// it takes, which are those that its handler reads, and what only a person can say, in the
// notation of package openapi.
type Said struct {
	Keys []string
	Says string
	// Declared is what the declaration of a table says of its parameters: of those that
	// nothing else says.
	Declared string
	Of       *Family // whose parameters they are; nil for those of all
}

// Call is a route of the API with what is said of it. Where several families answer, each
// says its own.
type Call struct {
	http.Handler
	Said []Said
}

// Call makes a route of a handler that answers for all families.
func (s *Site) Call(h Handler, says string, keys ...string) Call {
	return Call{s.API(h), []Said{{Keys: keys, Says: says}}}
}

// CallOf makes a route that the family of a profile answers at.
func (s *Site) CallOf(path string, routes func(*Family) []Route) Call {
	c := Call{Handler: s.API(s.ByFamily(path, routes))}
	for _, f := range s.Families {
		for _, r := range routes(f) {
			if r.Path == path {
				c.Said = append(c.Said, Said{r.Keys, r.Says, r.Declared, f})
			}
		}
	}
	return c
}

// At makes routes whose handlers are given a part of the profile.
func At[P any](s *Site, part func(*stored.Profile) (P, error)) func(path string, answer Handler) Route {
	return func(path string, answer Handler) Route { return Route{Path: path, Answer: With(s, part, answer)} }
}

// Say adds what the document of the API has of a route.
func (r Route) Say(says string, keys ...string) Route {
	r.Says, r.Keys = says, keys
	return r
}

// Lists adds what the document has of a route that lists a table.
func (r Route) Lists(t TableExport, says string) Route {
	r.Says, r.Keys, r.Declared = says, t.Keys, t.Says
	return r
}

// Lists makes routes that list tables by their names.
func (s *Site) Lists(
	at func(path string, answer Handler) Route, tables map[string]TableExport,
) func(path, says string) Route {
	return func(path, says string) Route {
		name := strings.Trim(path, "/")
		return at(path, s.Listed("-"+name, tables[name])).Lists(tables[name], says)
	}
}
