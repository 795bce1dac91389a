package pattern

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// Literals are texts that stand, ASCII case ignored, in whatever the pattern matches: those
// that are easily seen.
func (p *Pattern) Literals() []string { return p.literals }

// literalsOf goes through the parts of an expression that every match has.
func literalsOf(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 {
			return strings.FieldsFunc(string(re.Rune), foldsBeyondASCII)
		}
		return []string{string(re.Rune)}
	case syntax.OpCapture, syntax.OpPlus:
		return literalsOf(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return literalsOf(re.Sub[0])
		}
	case syntax.OpConcat:
		var all []string
		for _, sub := range re.Sub {
			all = append(all, literalsOf(sub)...)
		}
		return all
	}
	return nil
}

// foldsBeyondASCII reports whether a character may stand, case ignored, for one that is
// not ASCII.
func foldsBeyondASCII(r rune) bool { return r >= utf8.RuneSelf || strings.ContainsRune("kKsS", r) }
