package say

import (
	"fmt"
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

// Printable makes text from a file fit to be shown, on a page and in a terminal: as
// [Visible] does, and of what is longer than 16 KiB the beginning and the end.
func Printable(text string) string {
	if len(text) > maxShown {
		text = fmt.Sprintf("%s … %d bytes … %s", text[:shownBegin], len(text)-shownBegin-shownEnd, text[len(text)-shownEnd:])
	}
	return Visible(text)
}

// How much of a text is shown: a table has a hundred names, each several times.
const (
	maxShown   = 16 << 10
	shownBegin = 12 << 10
	shownEnd   = 2 << 10
)

// Visible makes text from a file safe to be seen: U+FFFD stands for bytes that are not UTF-8, and for what is not seen as
// itself: control characters, which a terminal would obey, and those that reorder
// or hide text, which could make a name look like another.
func Visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, strings.ToValidUTF8(text, string(unicode.ReplacementChar)))
}
