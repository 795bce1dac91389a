package say

import (
	"strings"
	"unicode"
)

// Name is a function's name, in the parts that a narrow cell shortens: the
// arguments first, then the namespace from its end, the base never.
type Name struct {
	Namespace, Base, Args string
	Full                  string // for the title: all of it, with the path
	Missing               bool   // the file has no name: Base is "<md5 0x…>"
}

// MissingName stands in for a name the file does not have.
func MissingName(nameRef uint64) Name {
	text := "<md5 " + Hex64(nameRef) + ">"
	return Name{Base: text, Full: text, Missing: true}
}

// Printable makes text from a file fit to be shown, on a page and in a terminal:
// U+FFFD stands for bytes that are not UTF-8, and for what is not seen as
// itself: control characters, which a terminal would obey, and those that reorder
// or hide text, which could make a name look like another.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, strings.ToValidUTF8(text, string(unicode.ReplacementChar)))
}
