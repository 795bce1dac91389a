package names

import (
	"fmt"
	"regexp"
)

// maxPattern bounds a regular expression, in bytes: compiling takes time and
// memory in proportion to it.
const maxPattern = 4 << 10

// Matcher tells whether a name matches a query: a substring (ASCII case
// ignored), a regular expression (RE2, case matters), or both, each over the
// PGO name and over its linkage name demangled in full.
//
// Demangling costs microseconds and is avoided where possible: see [filter].
// A Matcher is safe for concurrent use.
type Matcher struct {
	text   *folded
	re     *regexp.Regexp
	filter filter
}

// NewMatcher returns a matcher of a substring and of a regular expression; an
// empty one matches everything. The error is that of a pattern which does not
// compile or is longer than 4 KiB.
func NewMatcher(text, re string) (*Matcher, error) {
	m := &Matcher{}
	if len(text) > maxPattern || len(re) > maxPattern {
		return nil, fmt.Errorf("the query is longer than %d bytes", maxPattern)
	}
	if text != "" {
		m.text = newFolded([]byte(text))
		m.filter.requireText(text)
	}
	if re != "" {
		var err error
		if m.re, err = regexp.Compile(re); err != nil {
			return nil, err
		}
		m.filter.requireRegexp(re)
	}
	m.filter.finish()
	return m, nil
}

// Match reports whether a PGO name matches.
func (m *Matcher) Match(pgo []byte) bool {
	if !m.filter.passes(pgo) {
		return false
	}
	text, re := m.in(pgo)
	if text && re {
		return true
	}
	if m.filter.literal {
		return false
	}
	_, linkage := Cut(pgo)
	if !isMangled(linkage) {
		return false
	}
	demangledText, demangledRe := m.in([]byte(Demangle(string(linkage), Full)))
	return (text || demangledText) && (re || demangledRe)
}

// in reports which of the two parts of the query match one form of a name.
func (m *Matcher) in(name []byte) (text, re bool) {
	return m.text == nil || m.text.index(name) >= 0, m.re == nil || m.re.Match(name)
}
