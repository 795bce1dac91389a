package command

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/unidiff"
	"proflens/gate"
	figures "proflens/measures"
	"proflens/profiledb/stored"
	"proflens/say"
	"proflens/sources"
)

// remote is a profile on a server.
type remote struct{ server, id string }

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
	words := s.ids()
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
			s.remotes = append(s.remotes, remote{c.server, name})
		default:
			return nil, fmt.Errorf("%s: %w; %s takes a file, a link or the ID of a profile", name, errors.Unwrap(err), flag)
		}
	}
	return s, nil
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
			return remote{u.Scheme + "://" + u.Host + base, parts[i]}, true
		}
	}
	return remote{}, false
}

// judge judges the test: on the server that has both, or else here.
func (c *gateConfig) judge(ctx context.Context, std stdio) (*gate.Report, error) {
	test, err := c.side("-test", c.test)
	if err != nil {
		return nil, err
	}
	base, err := c.side("-base", c.base)
	if err != nil {
		return nil, err
	}
	if base.empty() && c.needsBase() {
		if base, err = c.buildBefore(ctx); err != nil {
			return nil, err
		}
	}
	if base.empty() && c.allowNoBase && len(c.rules) > 0 {
		alone := withoutBase(c.rules)
		if n := len(c.rules) - len(alone); n > 0 {
			fmt.Fprintf(std.err, "proflens: gate: no base; %s left out\n", say.Plural(n, "rule is", "rules are"))
		}
		c.rules = alone
		if len(c.rules) == 0 {
			return &gate.Report{Test: test.name()}, nil
		}
	}
	if on := test.on(); on != "" && on == base.on() {
		return c.judgeThere(ctx, on, base, test)
	}
	if len(c.rules) == 0 {
		return nil, usageError{"gate: no rules; give some, such as -rule min_overlap=95, or keep them in " + gate.FileName}
	}
	report := &gate.Report{Base: base.name(), Test: test.name()}
	err = c.withSide(ctx, std, base, func(b []*stored.Profile) error {
		return c.withSide(ctx, std, test, func(t []*stored.Profile) error {
			f, err := gate.Measure(ctx, c.rules, b, t)
			if twice, ok := errors.AsType[*gate.TwiceError](err); ok {
				return usageError{"gate: " + twice.Error()}
			}
			if err == nil && c.diff != "" {
				err = c.changed(ctx, t, f)
			}
			if err == nil {
				report.Results = gate.Judge(c.rules, f)
			}
			return err
		})
	})
	return report, err
}

// needsBase reports whether a rule does; those that a server keeps may.
func (c *gateConfig) needsBase() bool { return len(withoutBase(c.rules)) < max(len(c.rules), 1) }

// withoutBase are the rules that need no base.
func withoutBase(rules []gate.Rule) (list []gate.Rule) {
	for _, r := range rules {
		if !r.NeedsBase() {
			list = append(list, r)
		}
	}
	return list
}

// withSide has the profiles of a side read, and closes them.
func (c *gateConfig) withSide(ctx context.Context, std stdio, s *gateSide, read func([]*stored.Profile) error) error {
	var groups [][]string
	for _, r := range s.remotes {
		name, remove, err := c.download(ctx, r)
		if err != nil {
			return err
		}
		defer remove()
		groups = append(groups, []string{name})
	}
	if len(s.files) > 0 {
		groups = append(groups, s.files)
	}
	return withEach(ctx, std, groups, nil, read)
}

// withEach opens a profile of each group of files after the other.
func withEach(ctx context.Context, std stdio, groups [][]string, open []*stored.Profile, read func([]*stored.Profile) error) error {
	if len(groups) == 0 {
		return read(open)
	}
	in, err := readInputs(ctx, groups[0], nil, std.in)
	if err != nil {
		return err
	}
	defer in.Close()
	p, err := decode.Open(ctx, in.Files, format.Options{})
	if err != nil {
		return err
	}
	return withTables(ctx, in.Files, p, func(ctx context.Context, _ string, profile *stored.Profile) error {
		warn(std.err, p.Findings())
		return withEach(ctx, std, groups[1:], append(open, profile), read)
	})
}

// changed adds how the lines ran that the diff adds.
func (c *gateConfig) changed(ctx context.Context, test []*stored.Profile, f *gate.Figures) error {
	diff, err := c.readDiff()
	if err != nil {
		return err
	}
	for _, p := range test {
		set, err := figures.Changed(ctx, p, diff, sourceLines)
		if err != nil {
			return err
		}
		for key, v := range set {
			f.Test[key] = v
		}
	}
	return nil
}

// readDiff reads the diff of the command line.
func (c *gateConfig) readDiff() ([]unidiff.File, error) {
	if c.diff == "-" {
		return unidiff.Parse(c.in)
	}
	file, err := os.Open(c.diff)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return unidiff.Parse(file)
}

// sourceLines is the text of a source file where it is on this machine. Without it hunks
// are taken as they are.
func sourceLines(name string) (lines [][]byte, ok bool, err error) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > sources.MaxText {
		return nil, false, nil
	}
	text, err := os.ReadFile(name)
	return sources.Lines(text), err == nil, nil
}
