package site

import (
	"encoding/base64"
	"hash/fnv"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"proflens/catalog"
)

// What a browser keeps of library frames: how long, and how long a list may be. Cookies
// are bounded, and go with every request.
const (
	libraryCookie = "proflens_library_"
	libraryTime   = 365 * 24 * time.Hour
	maxLibrary    = 2 << 10
)

// KeepLibrary is POST /library: the browser keeps a list of library frames for a profile and its
// comparisons or, where it is of a project, for all of that. for= is the profile and the page to
// go back to; forget= is the same and takes the list away.
func (s *Site) KeepLibrary(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	text, d := r.FormValue("library"), libraryTime
	id, back, _ := strings.Cut(r.FormValue("for"), " ")
	if of := r.FormValue("forget"); of != "" {
		id, back, _ = strings.Cut(of, " ")
		text, d = "", 0
	}
	if len(text) > maxLibrary {
		return &ParamError{
			Param: "library", Msg: "a browser keeps at most " + strconv.Itoa(maxLibrary) + " bytes of patterns",
		}
	}
	e, err := s.Store.Entry(r.Context(), id)
	if err != nil {
		return err
	}
	http.SetCookie(w, newCookie(r, libraryName(e), base64.RawURLEncoding.EncodeToString([]byte(text)), "/", d))
	return SeeOther(w, r, LocalPath(back))
}

// libraryName is the cookie of a profile, or of its project.
func libraryName(e *catalog.Entry) string {
	h := fnv.New64a()
	if e.Project != "" {
		h.Write([]byte("project " + e.Project))
	} else {
		h.Write([]byte(e.ID))
	}
	return libraryCookie + strconv.FormatUint(h.Sum64(), 36)
}

// RedirectOnce leads to an address that the browser decides as well.
func RedirectOnce(w http.ResponseWriter, r *http.Request, to string) {
	w.Header().Add("Vary", "Cookie")
	NoStore(w)
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// keptLibraries are all that the browser keeps.
func keptLibraries(r *http.Request) (all string) {
	for _, c := range r.Cookies() {
		if strings.HasPrefix(c.Name, libraryCookie) {
			all += " " + c.Name + "=" + c.Value
		}
	}
	return all
}

// KeptLibrary is the list that the browser keeps for the first of some profiles that it has
// one of; empty for none.
func KeptLibrary(r *http.Request, entries ...*catalog.Entry) string {
	for _, e := range entries {
		text, err := base64.RawURLEncoding.DecodeString(cookieOf(r, libraryName(e)))
		if err == nil && utf8.Valid(text) && len(text) > 0 {
			return string(text)
		}
	}
	return ""
}
