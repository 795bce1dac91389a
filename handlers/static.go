package handlers

import (
	"net/http"

	"proflens/handlers/site"
	"proflens/static"
)

// staticFile serves the built files under the names that pages use.
func (s *server) staticFile(w http.ResponseWriter, r *http.Request) error {
	if r.URL.Path == "/favicon.ico" { // asked for unseen, by browsers that saw no page
		http.Redirect(w, r, static.URL("mark.svg"), http.StatusFound)
		return nil
	}
	if !static.Has(r.URL.Path) {
		return site.ErrNoRoute
	}
	static.Handler().ServeHTTP(w, r)
	return nil
}
