package names

import (
	"fmt"
	"strings"
)

// Terms are the words of a query and its regular expression, each sought by itself:
// of a row with several names each may be in another. It is safe for concurrent use.
type Terms struct{ each []*Matcher }

// NewTerms returns the terms of a query; those of an empty one are none. The error is
// that of [NewMatcher].
func NewTerms(text, re string) (*Terms, error) {
	m, err := NewMatcher(text, re)
	if err != nil {
		return nil, err
	}
	t := &Terms{}
	words := strings.Fields(text)
	if len(words) == 1 && re == "" {
		t.each = append(t.each, m)
		return t, nil
	}
	for _, word := range words {
		one, err := NewMatcher(word, "")
		if err != nil {
			return nil, err
		}
		t.each = append(t.each, one)
	}
	if re != "" {
		one, err := NewMatcher("", re)
		if err != nil {
			return nil, err
		}
		t.each = append(t.each, one)
	}
	if len(t.each) > maxWords {
		return nil, fmt.Errorf("the query has more than %d words", maxWords)
	}
	return t, nil
}

// In tells which terms a name has, a bit each.
func (t *Terms) In(name []byte) (found uint64) {
	for i, m := range t.each {
		if m.Match(name) {
			found |= 1 << i
		}
	}
	return found
}

// All is a bit for each term; 0 where there is none.
func (t *Terms) All() uint64 { return 1<<len(t.each) - 1 }
