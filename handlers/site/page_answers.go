package site

import (
	"net/http"
	"strings"

	"proflens/static"
)

// NotModifiedPage is notModified for a page, whose bytes also depend on the
// reader's theme and on the files it links to.
func (s *Site) NotModifiedPage(w http.ResponseWriter, r *http.Request) bool {
	w.Header().Add("Vary", "Cookie")
	return s.NotModified(w, r, PageVariant(r))
}

// PageVariant is what decides a page's bytes beside its profiles and its query.
func PageVariant(r *http.Request) string {
	return "page " + string(themeOf(r)) + " " + static.URL("style.css") + " " + static.URL("app.js")
}

// RedirectToAPI sends ?format= on a page to the same query of the API, without
// the parameters that only arrange the page.
func RedirectToAPI(w http.ResponseWriter, r *http.Request) error {
	a := AddressOf(r.URL).Without("sel")
	a.Path = "/api/v1/profiles" + strings.TrimPrefix(r.URL.Path, "/p")
	http.Redirect(w, r, a.String(), http.StatusSeeOther)
	return nil
}
