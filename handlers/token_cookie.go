package handlers

import (
	"net/http"

	"proflens/ingest"
)

// tokenCookie carries a delete token from the answer of the upload form to the
// page it leads to. Scripts cannot read it, it is sent to that page alone, and
// the page takes it away.
const (
	tokenCookie        = "proflens_delete_token"
	tokenCookieSeconds = 600
)

func handToken(w http.ResponseWriter, r *http.Request, a *ingest.Accepted) {
	if a.DeleteToken != "" {
		http.SetCookie(w, newTokenCookie(r, a.Entry.ID, a.DeleteToken, tokenCookieSeconds))
	}
}

// takeToken gives a page the delete token of its profile, once: empty for
// everyone but the browser that has just uploaded it.
func takeToken(w http.ResponseWriter, r *http.Request, id string) string {
	c, err := r.Cookie(tokenCookie)
	if err != nil || c.Value == "" {
		return ""
	}
	http.SetCookie(w, newTokenCookie(r, id, "", -1))
	w.Header().Set("Cache-Control", "no-store")
	return c.Value
}

func newTokenCookie(r *http.Request, id, token string, seconds int) *http.Cookie {
	return &http.Cookie{
		Name: tokenCookie, Value: token, Path: pageOf(id), MaxAge: seconds,
		HttpOnly: true, Secure: secure(r), SameSite: http.SameSiteStrictMode,
	}
}
