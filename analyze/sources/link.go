package sources

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// The labels of a profile that say where its sources are: the template, which wins over
// that of the server, and the directory that {path} is below.
const (
	TemplateLabel = "source_url"
	RootLabel     = "source_root"
)

// The places of a template that every line fills; all others are labels.
const (
	pathPlace = "path"
	linePlace = "line"
)

// Template is an address of the sources on another host, with places to fill in:
// "https://host/{repo}/blob/{commit}/{path}#L{line}".
type Template struct {
	text  string
	host  string
	parts []part
}

// part is text, or a place.
type part struct{ text, place string }

// maxTemplate is how long a template may be, in bytes.
const maxTemplate = 1000

// ParseTemplate reads a template. It is an http or https address with {path} in it;
// scheme and host have no places.
func ParseTemplate(text string) (*Template, error) {
	t := &Template{text: text}
	if len(text) > maxTemplate {
		return nil, fmt.Errorf("the template has %d bytes; use at most %d", len(text), maxTemplate)
	}
	for rest := text; rest != ""; {
		before, after, found := strings.Cut(rest, "{")
		t.parts = append(t.parts, part{text: before})
		if !found {
			break
		}
		place, behind, closed := strings.Cut(after, "}")
		if !closed || place == "" || strings.Contains(place, "{") {
			return nil, fmt.Errorf("the place %q of the template is not closed or has no name; use {path}, {line} or the "+
				"name of a label", "{"+after[:min(len(after), 20)])
		}
		t.parts = append(t.parts, part{place: place})
		rest = behind
	}
	if !slices.ContainsFunc(t.parts, func(p part) bool { return p.place == pathPlace }) {
		return nil, errors.New("the template has no {path}")
	}
	start := t.parts[0].text
	u, err := url.Parse(start)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil ||
		!strings.Contains(strings.TrimPrefix(start, u.Scheme+"://"), "/") {
		return nil, errors.New("the template must begin with http:// or https:// and a host, and all its places come after")
	}
	for _, p := range t.parts {
		if strings.ContainsFunc(p.text, func(c rune) bool {
			return c <= ' ' || c == 0x7f || strings.ContainsRune("\"<>\\^`}", c)
		}) {
			return nil, errors.New("the template has a character that no address has")
		}
	}
	t.host = u.Host
	return t, nil
}

// String is the template as it was given; empty of none.
func (t *Template) String() string {
	if t == nil {
		return ""
	}
	return t.text
}

// Links are the addresses of a profile's sources on another host. A nil one has none.
type Links struct {
	Host string
	// Missing are the labels that the template wants and the profile has not, sorted; with
	// one there are no addresses.
	Missing []string
	parts   []part // text, path and line
	root    string // empty: what all files share
}

// Links fills in the labels of a profile. A value with "." or ".." among its parts is
// none: it would lead elsewhere. No template has no links.
func (t *Template) Links(labels map[string]string) *Links {
	if t == nil {
		return nil
	}
	l := &Links{Host: t.host}
	if root := labels[RootLabel]; root != "" {
		l.root = strings.TrimRight(slashed(root), "/")
	}
	for _, p := range t.parts {
		if p.place == "" || p.place == pathPlace || p.place == linePlace {
			l.parts = append(l.parts, p)
			continue
		}
		value := strings.Trim(labels[p.place], "/")
		if value == "" || leaves(value) {
			l.Missing = append(l.Missing, p.place)
		}
		l.parts = append(l.parts, part{text: escaped(value)})
	}
	slices.Sort(l.Missing)
	l.Missing = slices.Compact(l.Missing)
	return l
}

// Link is the address of a file. The zero value is of a file that has none.
type Link struct{ parts []string } // the line goes between them

// File is the address of a file: by its name as recorded below the directory of the label
// source_root, or without that label by its path below the directory that all files
// share. What is not below it has none.
func (l *Links) File(name, shared string) Link {
	if l == nil || len(l.Missing) > 0 {
		return Link{}
	}
	file := slashed(shared)
	if l.root != "" {
		below := false
		if file, below = strings.CutPrefix(slashed(name), l.root+"/"); !below {
			return Link{}
		}
	}
	if file = strings.Trim(file, "/"); file == "" || leaves(file) {
		return Link{}
	}
	link := Link{[]string{""}}
	for _, p := range l.parts {
		last := &link.parts[len(link.parts)-1]
		switch p.place {
		case linePlace:
			link.parts = append(link.parts, "")
		case pathPlace:
			*last += escaped(file)
		default:
			*last += p.text
		}
	}
	return link
}

// At is the address of a line from 1; empty where the file has none.
func (l Link) At(line uint32) string {
	return strings.Join(l.parts, strconv.FormatUint(uint64(line), 10))
}

// Whole is the address of the file: without a fragment that has the line, else at its
// first. Empty where it has none.
func (l Link) Whole() string {
	if len(l.parts) > 1 {
		if before, _, ok := strings.Cut(l.parts[0], "#"); ok {
			return before
		}
	}
	return l.At(1)
}

// leaves reports whether a path goes up, or nowhere.
func leaves(p string) bool {
	return slices.ContainsFunc(strings.Split(p, "/"), func(part string) bool { return part == "." || part == ".." })
}

// escaped writes a value into an address: in its path, its query or its fragment nothing
// but letters, digits, "-", "_", "." , "~" and "/" stands for itself.
func escaped(value string) string {
	var b strings.Builder
	for i := range len(value) {
		switch c := value[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-_.~/", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
