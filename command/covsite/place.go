package covsite

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// The kinds of pages that a site has.
const (
	listPage   = "list"   // of files, functions that never ran, decisions, misfits
	sourcePage = "source" // a file, by its path
	namedPage  = "named"  // a file whose path is no address, by its name
	methods    = "/docs/methods"
)

// place is a page of the site.
type place struct {
	kind     string
	path     string // the list's, or the file's
	query    string // what of the address tells pages apart
	from     uint32 // a file's first line; 0: its beginning
	unfolded bool   // with all that stands under lines
}

// listQuery is what pages of lists are told apart by, and how the values begin that are
// in a site; nil: any.
var listQuery = map[string][]string{
	"path": nil, "page": nil, "inst": {"union"}, "missing": {"true"}, "kind": nil, "sort": {"file", "kind,"},
	"q": {"lines<", "regions<", "branches<"},
}

// listRows is how many rows a page of a list has.
const listRows = 1000

// lists are the names of lists' pages, by their address.
var lists = map[string]string{"/files": "index", "/uncovered": "never-ran", "/mcdc": "mcdc", "/misfits": "misfits"}

// placeOf is the page of the site that an address is of, and the line that it points at.
// What only a server answers is none. unfolds says that what is open is meant to open.
func (s *Site) placeOf(u *url.URL, unfolds bool) (to place, line uint32, ok bool) {
	if u.Host != "" || u.Path == methods {
		return place{kind: methods}, 0, u.Host == "" && u.RawQuery == ""
	}
	rest, ok := strings.CutPrefix(u.Path, s.Base)
	if u.Path == "/" || ok && rest == "" {
		return place{kind: listPage, path: "/files"}, 0, true // there is no page above
	}
	q := u.Query()
	switch file, isFile := strings.CutPrefix(rest, "/files/"); {
	case !ok:
		return place{}, 0, false
	case isFile:
		return sourceAt(place{kind: sourcePage, path: file}, q, unfolds)
	case rest == "/files" && q.Has("file"):
		file = q.Get("file")
		q.Del("file")
		return sourceAt(place{kind: namedPage, path: file}, q, unfolds)
	case lists[rest] == "":
		return place{}, 0, false
	}
	for _, key := range []string{"open", "limit", "goal"} {
		q.Del(key)
	}
	if rest == "/files" && q.Has("q") && q.Has("path") {
		return place{}, 0, false // else each directory had all lists of files below a threshold
	}
	for key, values := range q {
		known, ok := listQuery[key]
		if !ok || known != nil && !slices.ContainsFunc(known, func(begin string) bool {
			return strings.HasPrefix(values[0], begin)
		}) {
			return place{}, 0, false
		}
	}
	return place{kind: listPage, path: rest, query: q.Encode()}, 0, true
}

// sourceAt is the page of a file. A line that is pointed at, or unfolded, is in the page
// of all lines.
func sourceAt(to place, q url.Values, unfolds bool) (place, uint32, bool) {
	number := func(key string) uint32 {
		n, _ := strconv.ParseUint(q.Get(key), 10, 32)
		return uint32(n)
	}
	to.from = number("from")
	line := number("sel")
	if line == 0 && q.Get("show") == "gaps" && q.Get("open") == "" {
		to.query = "show=gaps"
	}
	for word := range strings.SplitSeq(q.Get("open"), ",") {
		if n, err := strconv.ParseUint(word, 10, 32); err == nil && n > 0 || word == "all" {
			to.unfolded = unfolds
		}
	}
	for key := range q {
		if !slices.Contains([]string{"sel", "open", "show", "from"}, key) {
			return place{}, 0, false
		}
	}
	return to, line, true
}

// address is where the handler has a page. open is what it shows unfolded.
func (s *Site) address(p place, open string) string {
	q, _ := url.ParseQuery(p.query)
	u := url.URL{Path: s.Base + p.path}
	switch p.kind {
	case methods:
		u.Path = methods
	case sourcePage:
		u.Path = s.Base + "/files/" + p.path
	case namedPage:
		u.Path = s.Base + "/files"
		q.Set("file", p.path)
	}
	if p.from > 0 {
		q.Set("from", strconv.Itoa(int(p.from)))
	}
	if p.kind == listPage {
		q.Set("limit", strconv.Itoa(listRows))
		if p.path == "/files" && s.Goal != "" {
			q.Set("goal", s.Goal)
		}
	}
	if open != "" {
		q.Set("open", open)
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// file is the name of a page's file, with slashes. It is the same whenever the site is
// written, since pages are met in the same order.
func (s *Site) file(p place) string {
	if name, ok := s.names[p]; ok {
		return name
	}
	name, q := "", url.Values{}
	switch p.kind {
	case methods:
		name = "methods"
	case listPage:
		q, _ = url.ParseQuery(p.query)
		if dir := strings.Trim(q.Get("path"), "/"); dir != "" {
			name = "dirs/" + folders(dir) + "/"
		}
		q.Del("path")
		name += lists[p.path]
	default:
		q, _ = url.ParseQuery(p.query)
		dir, base := "", strings.Trim(p.path, "/")
		if at := strings.LastIndexByte(base, '/'); at >= 0 {
			dir, base = folders(base[:at])+"/", base[at+1:]
		}
		name = "files/" + dir + printable(base)
	}
	for _, key := range slices.Sorted(maps.Keys(q)) {
		words := strings.NewReplacer("<", "-under-", ",", "-", "true", key, "file", "by-file")
		name += "." + printable(words.Replace(q.Get(key)))
	}
	if p.unfolded {
		name += ".unfolded"
	}
	if p.from > 0 {
		name += fmt.Sprintf(".from-%d", p.from)
	}
	unique := name
	for n := 2; s.taken[strings.ToLower(unique)]; n++ { // some systems take two cases for one name
		unique = fmt.Sprintf("%s-%d", name, n)
	}
	s.taken[strings.ToLower(unique)] = true
	s.names[p] = unique + ".html"
	return s.names[p]
}

// folders is a path as folders. None is called as a page can be.
func folders(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if parts[i] = printable(part); strings.HasSuffix(parts[i], ".html") {
			parts[i] += "_"
		}
	}
	return strings.Join(parts, "/")
}

// longestName is less than file systems allow, and leaves room for what is added.
const longestName = 150

// printable is a part of a path that every file system takes.
func printable(part string) string {
	part = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-+@=,()", r) {
			return r
		}
		return '_'
	}, part)
	for len(part) > longestName {
		runes := []rune(part)
		part = string(runes[:len(runes)-1])
	}
	if strings.Trim(part, ".") == "" {
		part = strings.Repeat("_", max(len(part), 1))
	}
	return strings.TrimRight(part, ".") + strings.Repeat("_", len(part)-len(strings.TrimRight(part, ".")))
}

// Relative is the address of a file as seen from another.
func Relative(from, to string) string {
	parts := strings.Split(to, "/")
	up := strings.Split(from, "/")
	for len(parts) > 1 && len(up) > 1 && parts[0] == up[0] {
		parts, up = parts[1:], up[1:]
	}
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return cmp.Or(strings.Repeat("../", len(up)-1)+strings.Join(parts, "/"), ".")
}
