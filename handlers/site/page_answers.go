package site

import (
	"context"
	"net/http"
	"strings"

	"proflens/profile/table"
	"proflens/static"
)

// NotModifiedPage is NotModified for a page, whose bytes also depend on the
// reader's theme, on the files it links to, and on the profiles of the same build.
func (s *Site) NotModifiedPage(w http.ResponseWriter, r *http.Request) bool {
	s.Relatives(r)
	w.Header().Add("Vary", "Cookie")
	return s.NotModified(w, r, PageVariant(r))
}

// PageVariant is what decides a page's bytes beside its profiles and its query.
func PageVariant(r *http.Request) string {
	return "page " + string(themeOf(r)) + keptLibraries(r) + " " + static.URL("style.css") + " " + static.URL("app.js")
}

// AnswerByAPI answers ?format= on a page by the same query of the API, without
// the parameters that only arrange the page.
func AnswerByAPI(w http.ResponseWriter, r *http.Request) error {
	a := AddressOf(r.URL).Unselected()
	a.Path = "/api/v1/profiles" + strings.TrimPrefix(r.URL.Path, "/p")
	return Forward(w, r, a.String())
}

// BeginView is how a view of a profile begins, once its parameters are read: what
// a script asks for is answered by the API, and what the browser has is not made
// again. The context bounds the answer and is nil when that is written, or failed
// with the error.
func (s *Site) BeginView(w http.ResponseWriter, r *http.Request, format table.Format) (context.Context, error) {
	if format != "" {
		return nil, AnswerByAPI(w, r)
	}
	if s.NotModifiedPage(w, r) {
		return nil, nil
	}
	if s.Profile(r).Storing() {
		Unsettled(w)
	}
	return s.RequestContext(r), nil
}

// BeginCompared is how the page of a comparison begins; see [Site.BeginView].
func (s *Site) BeginCompared(w http.ResponseWriter, r *http.Request, c *Comparing) context.Context {
	w.Header().Add("Vary", "Cookie")
	if s.NotModifiedOf(w, r, PageVariant(r), c.Base.Entry, c.Test.Entry) {
		return nil
	}
	return s.RequestContext(r)
}
