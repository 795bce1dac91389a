package site

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"proflens/catalog"
	"proflens/internal/humanize"
)

// FailedProfile is the problem of a profile without tables.
func FailedProfile(e *catalog.Entry) *Problem {
	p := &Problem{Status: http.StatusUnprocessableEntity, Kind: "malformed", Title: "Stored, but cannot be decoded",
		ID:     e.ID,
		Detail: "the profile could not be decoded", Finding: e.Finding}
	if f := e.Finding; f != nil {
		p.Kind, p.Detail, p.Offset = string(f.Kind), f.Message, &f.Offset
		if f.File != "" {
			p.Detail = f.File + ": " + f.Message
		}
	}
	return p
}

type basePathKey struct{}

// WithBasePath notes the path that all addresses begin with; see [Config].
func WithBasePath(ctx context.Context, base string) context.Context {
	return context.WithValue(ctx, basePathKey{}, base)
}

// Origin is this server as the client calls it, by a name that [Site.Arrive] has seen
// to be this server's, with its base path.
func Origin(r *http.Request) string {
	scheme := "http"
	if secure(r) {
		scheme = "https"
	}
	base, _ := r.Context().Value(basePathKey{}).(string)
	return scheme + "://" + r.Host + base
}

// plainAddress needs no quoting in a shell.
var plainAddress = regexp.MustCompile(`^[A-Za-z0-9:/._\[\]-]+$`)

// ShellWord writes the server's address for a shell. Anything odd in it is quoted.
func ShellWord(address string) string {
	if plainAddress.MatchString(address) && !strings.Contains(address, "[") {
		return address
	}
	return "'" + strings.ReplaceAll(humanize.Printable(address), "'", `'\''`) + "'"
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
