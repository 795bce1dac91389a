package encode

import (
	"strings"
	"unicode/utf8"
)

// validUTF8 puts one U+FFFD in place of each maximal part of an ill-formed
// sequence, as the Unicode standard recommends and other languages do: three
// bytes of a character of four are one, and not three.
func validUTF8(b []byte) string {
	var s strings.Builder
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		if r == utf8.RuneError && size == 1 {
			size = maximalPart(b)
		}
		s.WriteRune(r)
		b = b[size:]
	}
	return s.String()
}

// maximalPart is how many of the first bytes, which are no character, could
// have begun one.
func maximalPart(b []byte) int {
	need, low, high := 0, byte(0x80), byte(0xbf) // continuation bytes, and the range of the first
	switch lead := b[0]; {
	case lead >= 0xc2 && lead <= 0xdf:
		need = 1
	case lead >= 0xe0 && lead <= 0xef:
		need = 2
		switch lead {
		case 0xe0:
			low = 0xa0
		case 0xed:
			high = 0x9f
		}
	case lead >= 0xf0 && lead <= 0xf4:
		need = 3
		switch lead {
		case 0xf0:
			low = 0x90
		case 0xf4:
			high = 0x8f
		}
	}
	n := 1
	for ; n <= need && n < len(b) && b[n] >= low && b[n] <= high; n++ {
		low, high = 0x80, 0xbf
	}
	return n
}
