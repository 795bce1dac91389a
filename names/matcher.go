package names

import (
	"fmt"
	"strings"

	"proflens/names/pattern"
)

// maxWords bounds the words of a query.
const maxWords = 64

// maxPattern bounds a regular expression, in bytes: compiling takes time and
// memory in proportion to it.
const maxPattern = 4 << 10

// Matcher tells whether a name matches a query: words, in any order (substrings,
// ASCII case ignored), a regular expression (RE2, case matters), or both, each over
// the PGO name and over its linkage name demangled in full.
//
// Demangling costs microseconds and is avoided where possible: see [filter].
// A Matcher is safe for concurrent use.
type Matcher struct {
	words  []word
	re     *pattern.Pattern
	text   *folded // stands in whatever matches the regular expression; nil where no text is known to
	filter filter
}

// word is a word of a query.
type word struct {
	*folded
	copied bool // the demangled name has it only where the name has it too
}

// NewMatcher returns a matcher of words, which blanks divide, and of a regular
// expression; an empty one matches everything. The error is that of a pattern which
// does not compile or is longer than 4 KiB, or of too many words.
func NewMatcher(text, re string) (*Matcher, error) {
	m := &Matcher{}
	if len(text) > maxPattern || len(re) > maxPattern {
		return nil, fmt.Errorf("the query is longer than %d bytes", maxPattern)
	}
	words := strings.Fields(text)
	if len(words) > maxWords {
		return nil, fmt.Errorf("the query has more than %d words", maxWords)
	}
	for _, text := range words {
		m.filter.requireText(text)
		m.words = append(m.words, word{newFolded([]byte(text)), m.filter.literal})
	}
	if len(words) > 1 {
		m.filter.literal = false
	}
	if re != "" {
		var err error
		if m.re, err = pattern.Compile(re); err != nil {
			return nil, err
		}
		m.filter.requireRegexp(m.re)
		if text := longest(m.re.Literals()); len(text) > 1 { // one byte is soon found, everywhere
			m.text = newFolded([]byte(text))
		}
	}
	m.filter.finish()
	return m, nil
}

func longest(texts []string) (longest string) {
	for _, text := range texts {
		if len(text) > len(longest) {
			longest = text
		}
	}
	return longest
}

// Match reports whether a PGO name matches.
func (m *Matcher) Match(pgo []byte) bool {
	if !m.filter.passes(pgo) {
		return false
	}
	missing, re := m.in(pgo)
	if missing == 0 && re {
		return true
	}
	if m.filter.literal {
		return false
	}
	_, linkage := Cut(pgo)
	if !isMangled(linkage) {
		return false
	}
	demangledMissing, demangledRe := m.in([]byte(Demangle(string(linkage), Full)))
	return missing&demangledMissing == 0 && (re || demangledRe)
}

// in reports which words one form of a name lacks, a bit each, and whether it matches
// the regular expression.
func (m *Matcher) in(name []byte) (missing uint64, re bool) {
	for i, word := range m.words {
		if word.index(name) < 0 {
			missing |= 1 << i
		}
	}
	return missing, m.re == nil || m.re.Match(name)
}
