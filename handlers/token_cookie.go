package handlers

import (
	"net/http"

	"proflens/ingest"
)

func handToken(w http.ResponseWriter, r *http.Request, a *ingest.Accepted) {
	if a.DeleteToken != "" {
		http.SetCookie(w, newTokenCookie(r, a.Entry.ID, a.DeleteToken, tokenCookieSeconds))
	}
}

func newTokenCookie(r *http.Request, id, token string, seconds int) *http.Cookie {
	return &http.Cookie{
		Name: tokenCookie, Value: token, Path: pageOf(id), MaxAge: seconds,
		HttpOnly: true, Secure: secure(r), SameSite: http.SameSiteStrictMode,
	}
}
