package middleware

import (
	"net/http"

	"github.com/go-chi/chi/v5"
)

// HeadAsGet routes HEAD as GET, whose body net/http then leaves out. chi's own
// GetHead does so only where it finds no HEAD route, and takes the mount of a
// subrouter for one.
func HeadAsGet(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodHead {
			chi.RouteContext(r.Context()).RouteMethod = http.MethodGet
		}
		next.ServeHTTP(w, r)
	})
}
