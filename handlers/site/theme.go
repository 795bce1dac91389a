package site

import (
	"net/http"
	"strings"

	"proflens/views/page"
)

// themeCookie holds a reader's choice of colours. The script writes it too.
const themeCookie = "theme"

// themeOf is the reader's choice.
func themeOf(r *http.Request) page.Theme {
	c, err := r.Cookie(themeCookie)
	if err != nil {
		return page.System
	}
	return themeNamed(c.Value)
}

func themeNamed(name string) page.Theme {
	switch t := page.Theme(name); t {
	case page.Light, page.Dark:
		return t
	}
	return page.System
}

// SetTheme is the form of the theme buttons: it keeps the choice for a year and
// goes back to the page it came from.
func (s *Site) SetTheme(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	cookie := &http.Cookie{
		Name: themeCookie, Value: string(themeNamed(r.FormValue("theme"))), Path: "/",
		MaxAge: 365 * 24 * 3600, SameSite: http.SameSiteLaxMode,
	}
	if cookie.Value == "" {
		cookie.MaxAge = -1
	}
	http.SetCookie(w, cookie)
	return SeeOther(w, r, LocalPath(r.FormValue("back")))
}

// LocalPath is the address if it is one of this server, else the home page. A
// browser takes "//host" and "/\host" for other servers.
func LocalPath(address string) string {
	if !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") || strings.ContainsAny(address, "\\\r\n\t") {
		return "/"
	}
	return address
}
