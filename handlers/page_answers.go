package handlers

import (
	"net/http"
	"strings"

	"proflens/static"
)

// notModifiedPage is notModified for a page, whose bytes also depend on the
// reader's theme and on the files it links to.
func (s *Site) notModifiedPage(w http.ResponseWriter, r *http.Request) bool {
	w.Header().Add("Vary", "Cookie")
	return s.notModified(w, r, pageVariant(r))
}

// pageVariant is what decides a page's bytes beside its profiles and its query.
func pageVariant(r *http.Request) string {
	return "page " + string(themeOf(r)) + " " + static.URL("style.css") + " " + static.URL("app.js")
}

// redirectToAPI sends ?format= on a page to the same query of the API, without
// the parameters that only arrange the page.
func redirectToAPI(w http.ResponseWriter, r *http.Request) error {
	a := addressOf(r.URL).without("sel")
	a.path = "/api/v1/profiles" + strings.TrimPrefix(r.URL.Path, "/p")
	http.Redirect(w, r, a.String(), http.StatusSeeOther)
	return nil
}
