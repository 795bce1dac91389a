package site

import (
	"net/http"
	"strings"

	"github.com/a-h/templ"

	"proflens/catalog"
	"proflens/internal/humanize"
	"proflens/views"
	"proflens/views/page"
)

// remedies say what a person can do.
var remedies = map[int]string{
	http.StatusBadRequest: "Correct the address, or start again from the home page.",
	http.StatusNotFound: "Check the address: part of it may be missing. The link of a deleted or expired " +
		"profile says so.",
	http.StatusGone:                  "Upload the files again. A deleted or expired profile cannot be restored.",
	http.StatusRequestEntityTooLarge: "Compress the files, or send fewer at once.",
	http.StatusInternalServerError:   "Try again. If the error persists, look up the request ID in the server’s log.",
	http.StatusServiceUnavailable:    "Try again in a while.",
	http.StatusInsufficientStorage:   "Try again when the operator has made room.",
}

// errorPage says why a request could not be answered.
func (s *Site) errorPage(r *http.Request, p *Problem) templ.Component {
	v := page.Problem{
		Title: p.Title, Detail: p.sentence(),
		Severity: page.Tag{Text: humanize.Int(p.Status), Tone: page.Bad},
		Kind:     p.Kind, RequestID: p.RequestID, Remedy: remedies[p.Status],
	}
	if strings.EqualFold(strings.TrimSuffix(v.Detail, "."), v.Title) {
		v.Detail = ""
	}
	if p.Status == http.StatusUnauthorized {
		v.Login = "/login"
	}
	if p.Status < http.StatusInternalServerError {
		v.Severity.Tone = page.Caution
	}
	if len(r.URL.RawQuery) > longestDetail { // links would repeat it
		r = r.Clone(r.Context())
		r.URL.RawQuery = ""
	}
	shell := s.Shell(r, p.Title)
	if e, ok := r.Context().Value(entryKey).(*catalog.Entry); ok {
		shell = s.ProfileShell(r, OtherView, p.Title)
		shell.Wide = false
		v.Profile = PageOf(e.ID)
	}
	return views.Page(shell, views.ErrorMain(v))
}
