package site

import "net/http"

// Said is what the document of the API has of a route beside its address: the parameters that
// it takes, which are those that its handler reads, and what only a person can say, in the
// notation of package openapi.
type Said struct {
	Keys []string
	Says string
	Of   *Family // whose parameters they are; nil for those of all
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
				c.Said = append(c.Said, Said{r.Keys, r.Says, f})
			}
		}
	}
	return c
}
