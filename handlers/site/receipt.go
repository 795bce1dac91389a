package site

import (
	"net/http"
	"time"

	"proflens/views/page"
)

// KeptToken is the token while the profile is on its way: the page is asked
// for again and again, so the browser keeps it.
func KeptToken(r *http.Request) *page.Receipt {
	c, err := r.Cookie(tokenCookie)
	if err != nil || c.Value == "" {
		return nil
	}
	return &page.Receipt{Link: Origin(r) + r.URL.Path, Token: c.Value}
}

// Receipt puts what an uploader is told once into a page's frame, and takes it
// from the browser; such a page is not kept in any cache.
func (s *Site) Receipt(w http.ResponseWriter, r *http.Request, shell *page.Shell) {
	if token := takeToken(w, r, s.Entry(r).ID); token != "" {
		Unsettled(w)
		shell.Profile.Receipt = &page.Receipt{Link: Origin(r) + s.Base(r), Token: token}
	}
}

// tokenCookie carries a delete token from the answer of the upload form to the
// page it leads to. Scripts cannot read it, it is sent to that page alone, and
// the page takes it away.
const (
	tokenCookie = "proflens_delete_token"
	tokenTime   = 10 * time.Minute
)

// takeToken gives a page the delete token of its profile, once: empty for
// everyone but the browser that has just uploaded it.
func takeToken(w http.ResponseWriter, r *http.Request, id string) string {
	c, err := r.Cookie(tokenCookie)
	if err != nil || c.Value == "" {
		return ""
	}
	http.SetCookie(w, newCookie(r, tokenCookie, "", PageOf(id), 0))
	NoStore(w)
	return c.Value
}

// HandToken gives the next page of a profile its delete token, to show it once.
func HandToken(w http.ResponseWriter, r *http.Request, id, token string) {
	http.SetCookie(w, newCookie(r, tokenCookie, token, PageOf(id), tokenTime))
}
