package sourceview

import (
	"strings"
	"unicode/utf8"

	"proflens/internal/humanize"
)

// Visible is text of a file as a page shows it: tabs are kept, other controls are the
// pictures that Unicode has of them, such as ␌ for a form feed.
func Visible(b []byte) string {
	const most = 4000
	if len(b) > most {
		return Visible(b[:Boundary(b, most)]) + "…"
	}
	parts := strings.Split(string(b), "\t")
	for i := range parts {
		parts[i] = humanize.Visible(strings.Map(picture, humanize.Escaped(parts[i])))
	}
	return strings.Join(parts, "\t")
}

func picture(r rune) rune {
	if r < ' ' {
		return '␀' + r
	}
	return r
}

// Boundary is where the character begins that a place in a line is in. A column of a
// mapping can be inside of one: it was counted otherwise, or the source changed since.
func Boundary(line []byte, at int) int {
	for from := at; from >= 0 && at-from < utf8.UTFMax && at < len(line); from-- {
		if utf8.RuneStart(line[from]) {
			if r, size := utf8.DecodeRune(line[from:]); r != utf8.RuneError && from+size > at {
				return from
			}
			break
		}
	}
	return at
}
