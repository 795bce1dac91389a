package instrprof

import (
	"bytes"
	"math"
)

// lines walks a text profile line by line as LLVM's line_iterator does
// (instrprof.md §5.1): a line ends at "\n" or "\r\n", empty lines and those
// that start with '#' are skipped, nothing is trimmed, and a NUL byte ends the
// file.
type lines struct {
	data   []byte
	next   int    // where the search for the next line goes on
	line   []byte // the current line, nil at the end
	offset int    // file offset of line; the length of data at the end
	end    int    // where the line before the current one ended
	eof    bool
}

func newLines(data []byte) lines {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		data = data[:i]
	}
	l := lines{data: data}
	l.advance()
	return l
}

// advance makes the next line current.
func (l *lines) advance() {
	l.end = l.next
	for l.next < len(l.data) {
		start := l.next
		end := len(l.data)
		l.next = end
		if i := bytes.IndexByte(l.data[start:], '\n'); i >= 0 {
			end = start + i
			l.next = end + 1
			if i > 0 && l.data[end-1] == '\r' {
				end--
			}
		}
		if start == end || l.data[start] == '#' {
			continue
		}
		l.line, l.offset = l.data[start:end], start
		return
	}
	l.line, l.offset, l.eof = nil, len(l.data), true
}

// numbers reads lines of at most 16 digits and nothing else, as nearly all of counters are, until
// to is full or another line comes, and returns how many.
func (l *lines) numbers(to []uint64) (n int) {
	at := l.offset
	for ; n < len(to); n++ {
		v, i := uint64(0), at
		for i < len(l.data) && i < at+16 && l.data[i]-'0' < 10 {
			v = 10*v + uint64(l.data[i]-'0')
			i++
		}
		if i == at || i == len(l.data) || l.data[i] != '\n' {
			break
		}
		to[n], at = v, i+1
	}
	if n > 0 {
		l.next = at
		l.advance()
	}
	return n
}

// left is how many more lines could follow, with their ends, the current one included.
func (l *lines) left() uint64 {
	return uint64((len(l.data) - l.offset + 1) / 2)
}

// parseUint parses a whole number as LLVM's getAsInteger does: in base 10, or,
// with auto, in the base that a prefix 0x, 0b, 0o or 0 tells. No sign, no
// blanks, no separators.
func parseUint(s []byte, auto bool) (uint64, bool) {
	base := uint64(10)
	if auto {
		s, base = cutBase(s)
	}
	if len(s) == 0 {
		return 0, false
	}
	var v uint64
	for i, c := range s {
		d := digit(c)
		if d >= base || i >= 16 && v > (math.MaxUint64-d)/base { // 16 digits of any base fit
			return 0, false
		}
		v = v*base + d
	}
	return v, true
}

// cutBase cuts the prefix that tells a number's base.
func cutBase(s []byte) ([]byte, uint64) {
	if len(s) < 2 || s[0] != '0' {
		return s, 10
	}
	switch s[1] {
	case 'x', 'X':
		return s[2:], 16
	case 'b', 'B':
		return s[2:], 2
	case 'o':
		return s[2:], 8
	}
	if digit(s[1]) < 10 {
		return s[1:], 8
	}
	return s, 10
}

// digit is the value of a digit in any base to 36; larger than any base for
// other bytes.
func digit(c byte) uint64 {
	switch {
	case c >= '0' && c <= '9':
		return uint64(c - '0')
	case c >= 'a' && c <= 'z':
		return uint64(c-'a') + 10
	case c >= 'A' && c <= 'Z':
		return uint64(c-'A') + 10
	}
	return math.MaxUint64
}
