package site

import (
	"net/http"
	"strings"

	"github.com/a-h/templ"

	"proflens/catalog"
	"proflens/say"
	"proflens/views"
	"proflens/views/page"
)

// remedies say what a person can do.
var remedies = map[int]string{
	http.StatusBadRequest:            "Correct the address, or start again from the first page.",
	http.StatusNotFound:              "Check the address: it may have been cut off when it was copied. A profile that was deleted or has expired says so at its own address.",
	http.StatusGone:                  "Ask whoever has the files to upload them again. A deleted or expired profile cannot be brought back.",
	http.StatusRequestEntityTooLarge: "Pack the files, or send fewer at once.",
	http.StatusInternalServerError:   "Try again. If the error persists, the server’s log has more under the request’s number.",
	http.StatusServiceUnavailable:    "Try again in a while.",
}

// errorPage says why a request could not be answered.
func (s *Site) errorPage(r *http.Request, p *Problem) templ.Component {
	v := page.Problem{
		Title: p.Title, Detail: say.Printable(Sentence(p.Detail)), Severity: page.Tag{Text: say.Int(p.Status), Tone: page.Bad},
		Kind: p.Kind, RequestID: p.RequestID, Remedy: remedies[p.Status],
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
	shell := s.Shell(r, p.Title)
	if e, ok := r.Context().Value(entryKey).(*catalog.Entry); ok {
		shell = s.ProfileShell(r, OtherView, p.Title)
		shell.Wide = false
		v.Profile = PageOf(e.ID)
	}
	return views.Page(shell, views.ErrorMain(v))
}
