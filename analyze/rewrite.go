package analyze

import (
	"fmt"
	"strings"
)

// Rewrite replaces the front of file paths, in whole parts, so that the paths of
// two machines agree: with From "/home/alice/src" and To "src",
// "/home/alice/src/a.c" becomes "src/a.c".
type Rewrite struct{ From, To string }

// Bounds of the rules that a stranger may give.
const (
	maxRewrites    = 16
	maxRewritePath = 1 << 10
)

// ParseRewrites reads rules of the form "from=to". An empty "to" takes the front
// away. The error says what is wrong with which rule.
func ParseRewrites(rules []string) ([]Rewrite, error) {
	var list []Rewrite
	for _, rule := range rules {
		from, to, ok := strings.Cut(rule, "=")
		switch {
		case !ok || from == "":
			return nil, fmt.Errorf("%q is not a rule; use from=to, with whole parts of a path on both sides", rule)
		case len(rule) > maxRewritePath:
			return nil, fmt.Errorf("a rule has %d bytes; the limit is %d", len(rule), maxRewritePath)
		}
		list = append(list, Rewrite{CleanPath(from), CleanPath(to)})
	}
	if len(list) > maxRewrites {
		return nil, fmt.Errorf("found %d rules; the limit is %d", len(list), maxRewrites)
	}
	return list, nil
}

// RewritePath applies the first rule that fits to a clean path (see
// [CleanPath]). A rule that would leave nothing does not fit.
func RewritePath(rules []Rewrite, path string) string {
	for _, r := range rules {
		rest, ok := strings.CutPrefix(path, r.From)
		whole := strings.HasSuffix(r.From, "/") || rest == "" || rest[0] == '/'
		if !ok || !whole {
			continue
		}
		rest = strings.TrimPrefix(rest, "/")
		if r.To == "" && rest == "" {
			continue
		}
		return JoinPath(r.To, rest)
	}
	return path
}

// JoinPath joins two clean paths, the second a relative one; either may be empty.
func JoinPath(folder, rest string) string {
	if folder == "" || rest == "" || strings.HasSuffix(folder, "/") {
		return folder + rest
	}
	return folder + "/" + rest
}
