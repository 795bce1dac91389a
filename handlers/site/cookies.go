package site

import (
	"encoding/base64"
	"net/http"
	"time"

	"proflens/catalog"
)

// The cookies that open something. Scripts cannot read them, and no page of another
// site has a browser send them.
const (
	loginCookie = "proflens_login" // a token of the server
	ownerCookie = "proflens_owner" // the delete token of a profile, for its own pages alone
)

// How long a browser keeps them. Tokens are looked up at every request, so one that
// is revoked ends its logins at once.
const (
	loginTime = 30 * 24 * time.Hour
	ownerTime = 90 * 24 * time.Hour
)

func cookieOf(r *http.Request, name string) string {
	c, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	return c.Value
}

// loginOf is the token that the browser keeps.
func loginOf(r *http.Request) string {
	token, err := base64.RawURLEncoding.DecodeString(cookieOf(r, loginCookie))
	if err != nil {
		return ""
	}
	return string(token)
}

// newCookie makes a cookie of that kind; a time of 0 takes it from the browser.
func newCookie(r *http.Request, name, value, path string, d time.Duration) *http.Cookie {
	c := &http.Cookie{
		Name: name, Value: value, Path: path, MaxAge: int(d / time.Second), HttpOnly: true, Secure: secure(r),
		SameSite: http.SameSiteStrictMode,
	}
	if d == 0 {
		c.MaxAge = -1
	}
	return c
}

// KeepOwner lets the browser that uploaded a profile change it and delete it
// without being asked for its token.
func KeepOwner(w http.ResponseWriter, r *http.Request, e *catalog.Entry, token string) {
	http.SetCookie(w, newCookie(r, ownerCookie, token, PageOf(e.ID), ownerTime))
}

// ForgetOwner takes that back once the profile is gone.
func ForgetOwner(w http.ResponseWriter, r *http.Request, id string) {
	if cookieOf(r, ownerCookie) != "" {
		http.SetCookie(w, newCookie(r, ownerCookie, "", PageOf(id), 0))
	}
}

// LogIn keeps a token in the browser; the empty one logs out. It is encoded, since an
// operator's own may have any character.
func LogIn(w http.ResponseWriter, r *http.Request, token string) {
	d := loginTime
	if token == "" {
		d = 0
	}
	http.SetCookie(w, newCookie(r, loginCookie, base64.RawURLEncoding.EncodeToString([]byte(token)), "/", d))
}
