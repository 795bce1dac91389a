package handlers

import (
	"net/http"

	"proflens/handlers/site"
)

// crossOrigin refuses what a page of another site makes a browser send.
// Requests of other programs, which have no origin, pass.
func (s *server) crossOrigin(next http.Handler) http.Handler {
	p := http.NewCrossOriginProtection()
	p.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Fail(w, r, site.ErrCrossOrigin)
	}))
	return p.Handler(next)
}
