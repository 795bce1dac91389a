package page

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

// Printable makes bytes from a file fit to be shown: U+FFFD stands for what is
// not UTF-8, for control characters and for those that reorder the text around
// them, which could make a name look like another.
func Printable(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r), r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x061c:
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(name, string(unicode.ReplacementChar)))
}
