package handlers

import (
	"net/http"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"proflens/handlers/site"
)

func (s *server) notFound(w http.ResponseWriter, r *http.Request) error { return site.ErrNoRoute }

// methodNotAllowed lists the methods that the address takes. One that cannot
// be read, like /upload, is to a browser an address where nothing is.
func (s *server) methodNotAllowed(w http.ResponseWriter, r *http.Request) error {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return site.ErrNoRoute
	}
	w.Header().Set("Allow", strings.Join(s.allowed(r.URL.Path), ", "))
	return site.ErrMethod
}

// allowed lists the methods of the routes that an address fits.
func (s *server) allowed(path string) []string {
	var methods []string
	chi.Walk(s.routes, func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if fits(strings.Trim(path, "/"), strings.Trim(route, "/")) {
			methods = append(methods, method)
		}
		return nil
	})
	slices.Sort(methods)
	return slices.Compact(methods)
}

// fits reports whether a path has a route's segments.
func fits(path, route string) bool {
	segments, pattern := strings.Split(path, "/"), strings.Split(route, "/")
	return slices.EqualFunc(segments, pattern, func(segment, pattern string) bool {
		return segment == pattern || strings.HasPrefix(pattern, "{")
	})
}
