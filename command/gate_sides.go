package command

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// remote is a profile on a server, and what a build calls it.
type remote struct{ server, id, name string }

// gateSide is one build: profiles on servers, and files that are one profile together.
type gateSide struct {
	remotes []remote
	files   []string
}

func (s *gateSide) empty() bool { return len(s.remotes)+len(s.files) == 0 }

// on is the server that all of a side is on; empty where it is on none, or on several.
func (s *gateSide) on() string {
	if len(s.files) > 0 || len(s.remotes) == 0 {
		return ""
	}
	for _, r := range s.remotes {
		if r.server != s.remotes[0].server {
			return ""
		}
	}
	return s.remotes[0].server
}

func (s *gateSide) ids() (list []string) {
	for _, r := range s.remotes {
		list = append(list, r.id)
	}
	return list
}

// name is that of the build, for people.
func (s *gateSide) name() string {
	var words []string
	for _, r := range s.remotes {
		words = append(words, cmp.Or(r.name, r.id))
	}
	for _, file := range s.files {
		words = append(words, filepath.Base(file))
	}
	return strings.Join(words, " + ")
}

// profileID is what IDs of profiles look like.
var profileID = regexp.MustCompile(`^[a-z2-7]{26}$`)

// side sorts what a flag names.
func (c *gateConfig) side(flag string, names []string) (*gateSide, error) {
	s := &gateSide{}
	for _, name := range names {
		if r, ok := linkOf(name); ok {
			s.remotes = append(s.remotes, r)
			continue
		}
		_, err := os.Stat(name)
		switch {
		case name == "-" || err == nil:
			s.files = append(s.files, name)
		case profileID.MatchString(name):
			s.remotes = append(s.remotes, remote{server: c.server, id: name})
		default:
			return nil, fmt.Errorf("%s: %w; %s takes a file, a link or the ID of a profile", name, errors.Unwrap(err), flag)
		}
	}
	return s, nil
}

// serverOf is the server of the first link among names, or the usual one.
func serverOf(names []string) string {
	for _, name := range names {
		if r, ok := linkOf(name); ok {
			return r.server
		}
	}
	return "http://localhost:8080"
}

// linkOf is the profile that a link leads to: a page of it, or of the API.
func linkOf(text string) (remote, bool) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return remote{}, false
	}
	parts := strings.Split(u.Path, "/")
	for i := 1; i < len(parts); i++ {
		if profileID.MatchString(parts[i]) {
			base := strings.TrimSuffix(strings.Join(parts[:i-1], "/"), "/api/v1")
			return remote{server: u.Scheme + "://" + u.Host + base, id: parts[i]}, true
		}
	}
	return remote{}, false
}
