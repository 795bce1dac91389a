package handlers

import (
	"net/http"
	"strings"

	"proflens/catalog"
	"proflens/handlers/site"
	"proflens/views"
	"proflens/views/page"
)

// private is the middleware that lets nobody in without a token, where the server
// was started so. What is left open tells nothing of profiles: the pages' own files,
// the login, and the health checks.
func (s *server) private(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.Private && !isOpen(r.URL.Path) {
			right, err := s.RightOf(r)
			if err != nil {
				s.Fail(w, r, err)
				return
			}
			if right == catalog.NoRight {
				s.turnAway(w, r)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

func isOpen(path string) bool {
	switch path {
	case "/login", "/logout", "/theme", "/favicon.ico", "/healthz", "/readyz":
		return true
	}
	return strings.HasPrefix(path, "/static/")
}

// turnAway answers who has no token: a browser that wants a page with the login, in
// place of the page. A link on another site does not bring a strict cookie along, so
// a browser that comes by one asks once more by itself.
func (s *server) turnAway(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet || !site.WantsHTML(r) {
		s.Fail(w, r, site.ErrPrivate)
		return
	}
	h := w.Header()
	h.Set("WWW-Authenticate", `Bearer realm="Proflens"`)
	if r.Header.Get("Sec-Fetch-Site") == "cross-site" {
		h.Set("Refresh", "0")
	}
	s.Page(func(w http.ResponseWriter, r *http.Request) error {
		return s.renderLogin(w, r, http.StatusUnauthorized, r.URL.RequestURI(), "")
	})(w, r)
}

// loginPage is GET /login.
func (s *server) loginPage(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), []string{"next"})
	if v.Err != nil {
		return v.Err
	}
	return s.renderLogin(w, r, http.StatusOK, v.One("next"), "")
}

func (s *server) renderLogin(w http.ResponseWriter, r *http.Request, status int, next, wrong string) error {
	site.NoStore(w)
	shell := s.Shell(r, "Log in")
	shell.Here = "/login"
	return s.RenderStatus(w, r, status, views.Page(shell, views.LoginMain(page.Login{
		Next: site.LocalPath(next), Private: s.Private, LoggedIn: shell.LoggedIn, Wrong: wrong,
	})))
}

// loginForm is POST /login: the browser keeps the token as a cookie.
func (s *server) loginForm(w http.ResponseWriter, r *http.Request) error {
	if err := site.ReadForm(w, r, maxFieldBytes); err != nil {
		return err
	}
	token := strings.TrimSpace(r.PostForm.Get("token"))
	right, err := s.TokenRight(r.Context(), token)
	if err != nil {
		return err
	}
	if right == catalog.NoRight {
		if !site.WantsHTML(r) {
			return site.ErrNoLogin
		}
		return s.renderLogin(w, r, http.StatusForbidden, r.PostForm.Get("next"), site.Sentence(site.ErrNoLogin.Error()))
	}
	site.LogIn(w, r, token)
	site.NoStore(w)
	return site.SeeOther(w, r, site.LocalPath(r.PostForm.Get("next")))
}

// logoutForm is POST /logout.
func (s *server) logoutForm(w http.ResponseWriter, r *http.Request) error {
	site.LogIn(w, r, "")
	site.NoStore(w)
	return site.SeeOther(w, r, "/login")
}
