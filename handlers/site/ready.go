package site

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

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

// maxStoring is how long a program that asks for more than a preview has waits for the rest.
const maxStoring = 30 * time.Second

type storingKey struct{}

// AfterStoring is the middleware that has programs wait for what is being stored: a profile
// whose first pages can be seen already answers what needs all of it a little later, and says
// in the header Proflens-Waited for how long. Pages do not wait: they say how far it is.
func (s *Site) AfterStoring(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead ||
			WantsHTML(r) && !strings.HasPrefix(r.URL.Path, "/api/") {
			next.ServeHTTP(w, r)
			return
		}
		storing := new(string) // the profile that is not ready
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), storingKey{}, storing)))
		if *storing == "" {
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), maxStoring)
		defer cancel()
		if s.Stopping != nil {
			defer context.AfterFunc(s.Stopping, cancel)()
		}
		began := time.Now()
		s.Ingest.Wait(ctx, *storing) // whatever has become of it is answered
		w.Header().Set("Proflens-Waited", time.Since(began).Round(time.Millisecond).String())
		next.ServeHTTP(w, r)
	})
}

// putOff reports whether an error is that of a profile that is still being stored, and leaves
// the answer to [Site.AfterStoring].
func putOff(r *http.Request, err error) bool {
	storing, ok := r.Context().Value(storingKey{}).(*string)
	if !ok {
		return false
	}
	p, ok := errors.AsType[*Problem](err)
	if !ok || p.Progress == nil || !p.Progress.Shown {
		return false
	}
	*storing = p.ID
	return true
}

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
