package site

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"proflens/catalog"
	"proflens/say"
)

// FailedProfile is the problem of a profile without tables.
func FailedProfile(e *catalog.Entry) *Problem {
	p := &Problem{Status: http.StatusUnprocessableEntity, Kind: "malformed", Title: "Stored, but not decodable", ID: e.ID,
		Detail: "the profile could not be decoded", Finding: e.Finding}
	if f := e.Finding; f != nil {
		p.Kind, p.Detail, p.Offset = string(f.Kind), f.Message, &f.Offset
		if f.File != "" {
			p.Detail = f.File + ": " + f.Message
		}
	}
	return p
}

// Origin is this server as the client sees it.
func Origin(r *http.Request) string {
	scheme := "http"
	if secure(r) {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}

// plainAddress needs no quoting in a shell.
var plainAddress = regexp.MustCompile(`^[A-Za-z0-9:/._\[\]-]+$`)

// ShellWord writes the server's address for a shell. The Host header is the
// client's word, so anything odd in it is quoted.
func ShellWord(address string) string {
	if plainAddress.MatchString(address) && !strings.Contains(address, "[") {
		return address
	}
	return "'" + strings.ReplaceAll(say.Printable(address), "'", `'\''`) + "'"
}

// RefreshSeconds is how often the page asks again without scripts.
const RefreshSeconds = 2

// NotReady answers a call that needs the profile's tables.
func (s *Site) NotReady(w http.ResponseWriter, r *http.Request) error {
	return s.Unready(s.Entry(r))
}

// Unready is the problem of a profile that has no tables, or not yet.
func (s *Site) Unready(e *catalog.Entry) *Problem {
	if e.State == catalog.Failed && !e.Pending {
		return FailedProfile(e)
	}
	at := s.Ingest.Progress(e.ID)
	return &Problem{Status: http.StatusConflict, Kind: "not_ready", Title: "Not ready yet", ID: e.ID, Progress: &at,
		Detail: fmt.Sprintf("the profile is %s, %d %%; ask again", at.Stage, at.Percent),
		header: http.Header{"Retry-After": {"1"}}}
}

// secure reports whether the client speaks TLS, to us or to a proxy before us.
// The header decides nothing but the look of links and a cookie's flag.
func secure(r *http.Request) bool {
	return r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")
}
