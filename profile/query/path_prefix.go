package query

import (
	"bytes"
	"strings"

	"proflens/analyze"
	"proflens/names"
)

// PathPrefix matches names by their file path: as recorded, or as the path tree
// writes it. What is compared has a ';' behind it, which stands there in names
// (instrprof.md §4) and in no path, so that a prefix can ask for a whole path.
type PathPrefix struct {
	prefix []byte // empty matches all
	rules  []analyze.Rewrite
}

func NewPathPrefix(prefix string, rules []analyze.Rewrite) PathPrefix {
	return PathPrefix{[]byte(prefix), rules}
}

func (p *PathPrefix) Match(name []byte) bool {
	if len(p.prefix) == 0 {
		return true
	}
	path, _ := names.Cut(name)
	return p.MatchPath(path)
}

// MatchPath is Match for a path that stands by itself.
func (p *PathPrefix) MatchPath(path []byte) bool {
	if len(p.rules) > 0 && len(path) > 0 {
		clean := analyze.RewritePath(p.rules, analyze.CleanPath(string(path)))
		return strings.HasPrefix(clean+";", string(p.prefix))
	}
	if len(p.prefix) == 0 || hasPathPrefix(path, p.prefix) {
		return true
	}
	return !isClean(path) && hasPathPrefix([]byte(analyze.CleanPath(string(path))), p.prefix)
}

func hasPathPrefix(path, prefix []byte) bool {
	if whole, ok := bytes.CutSuffix(prefix, []byte(";")); ok {
		return bytes.Equal(path, whole)
	}
	return bytes.HasPrefix(path, prefix)
}

// isClean reports whether a path certainly is as the tree writes it.
func isClean(path []byte) bool {
	return !bytes.HasPrefix(path, []byte("./")) && !bytes.HasSuffix(path, []byte("/")) &&
		bytes.IndexByte(path, '\\') < 0 &&
		!bytes.Contains(path, []byte("//")) && !bytes.Contains(path, []byte("/./"))
}
