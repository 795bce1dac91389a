package humanize

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Name is a function's name, in the parts that a narrow cell shortens: the
// arguments first, then the namespace from its end, the base never.
type Name struct {
	Namespace, Base, Args string
	Full                  string // for the title: all of it, with the path
	Missing               bool   // the file has no name: Base is "<md5 0x…>"
}

// Whole is the name in one string.
func (n Name) Whole() string { return n.Namespace + n.Base + n.Args }

// Template divides the arguments after those of the template, which tell instantiations apart:
// "<int>" and "(int) const". The first is empty where there are none.
func (n Name) Template() (template, rest string) {
	start := 0
	if strings.HasPrefix(n.Args, "::<") { // of Rust
		start = 2
	}
	depth := 0
	for i := start; i < len(n.Args); i++ {
		switch {
		case n.Args[i] == '<':
			depth++
		case n.Args[i] == '>' && i > 0 && n.Args[i-1] != '-':
			depth--
		}
		if depth == 0 {
			if i > start {
				return n.Args[:i+1], n.Args[i+1:]
			}
			return "", n.Args
		}
	}
	return "", n.Args
}

// MissingName stands in for a name the file does not have.
func MissingName(nameRef uint64) Name {
	text := "<md5 " + Hex64(nameRef) + ">"
	return Name{Base: text, Full: text, Missing: true}
}

// Printable makes text from a file fit to be shown among others: as [Visible] does, and
// of what is longer than 1000 bytes the beginning and the end. A table has a hundred
// names, each several times.
func Printable(text string) string { return Visible(cut(text, 1000)) }

// Long is [Printable] for the text that a page is about, and for a line in a terminal:
// it cuts from 16 KiB on.
func Long(text string) string { return Visible(cut(text, maxLong)) }

// IsCut reports whether [Long] leaves something out.
func IsCut(text string) bool { return len(text) > maxLong }

const maxLong = 16 << 10

// cut keeps three quarters of most bytes from the beginning, and an eighth from the end.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	to, from := most*3/4, len(text)-most/8
	for n := 1; n < utf8.UTFMax && !utf8.RuneStart(text[to]); n++ { // no character in parts
		to--
	}
	for n := 1; n < utf8.UTFMax && !utf8.RuneStart(text[from]); n++ {
		from++
	}
	begin, end := text[:to], text[from:]
	return fmt.Sprintf("%s … %d of %d bytes left out … %s", begin, len(text)-len(begin)-len(end), len(text), end)
}

// Visible makes text from a file safe to be seen: bytes that are not UTF-8 become \xNN, and U+FFFD stands for what is not
// seen as itself: control characters, which a terminal would obey, and those that reorder
// or hide text, which could make a name look like another.
func Visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, Escaped(text))
}

// Escaped is text with \xNN for each byte that is not UTF-8, so that texts that differ
// stay different.
func Escaped(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		if _, size := utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, `\x%02x`, text[i])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
