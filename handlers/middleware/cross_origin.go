package middleware

import (
	"net/http"

	"proflens/handlers/site"
)

// CrossOrigin refuses what a page of another site makes a browser send.
// Requests of other programs, which have no origin, pass.
func CrossOrigin(s *site.Site, next http.Handler) http.Handler {
	p := http.NewCrossOriginProtection()
	p.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Fail(w, r, site.ErrCrossOrigin)
	}))
	return p.Handler(next)
}
