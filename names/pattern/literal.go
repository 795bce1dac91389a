package pattern

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// Literal is a text that stands, ASCII case ignored, in whatever the pattern matches, the
// longest that is easily seen; empty where none is.
func (p *Pattern) Literal() string { return p.literal }

// literalOf goes through the parts of an expression that every match has.
func literalOf(re *syntax.Regexp) (longest string) {
	keep := func(text string) {
		if len(text) > max(len(longest), 1) { // one byte is soon found, everywhere
			longest = text
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			keep(string(re.Rune))
			break
		}
		for _, text := range strings.FieldsFunc(string(re.Rune), foldsBeyondASCII) {
			keep(text)
		}
	case syntax.OpCapture, syntax.OpPlus:
		keep(literalOf(re.Sub[0]))
	case syntax.OpRepeat:
		if re.Min > 0 {
			keep(literalOf(re.Sub[0]))
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			keep(literalOf(sub))
		}
	}
	return longest
}

// foldsBeyondASCII reports whether a character may stand, case ignored, for one that is
// not ASCII.
func foldsBeyondASCII(r rune) bool { return r >= utf8.RuneSelf || strings.ContainsRune("kKsS", r) }
