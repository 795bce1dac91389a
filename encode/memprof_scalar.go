package encode

import (
	"fmt"
	"regexp"
	"strings"
)

// yamlScalar is a string as LLVM writes it in YAML: plain where that is safe by
// its rules, in single quotes, or in double quotes with escapes.
func yamlScalar(s string) string {
	switch quotesOf(s) {
	case '\'':
		return "'" + strings.ReplaceAll(s, "'", "''") + "'"
	case '"':
		return doubleQuoted(s)
	}
	return s
}

// wouldBe matches what YAML would take for something else than a string.
var wouldBe = regexp.MustCompile(`^(~|null|Null|NULL|true|True|TRUE|false|False|FALSE|[-+]?(\.inf|\.Inf|\.INF)|\.nan|\.NaN|\.NAN|0x[0-9a-fA-F]+|0o[0-7]+|[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?)$`)

// quotesOf is the quotes that a string needs: ' or ", or 0 for none.
func quotesOf(s string) (quote byte) {
	if s == "" || s[0] == ' ' || s[len(s)-1] == ' ' || wouldBe.MatchString(s) ||
		strings.IndexByte("-?:\\,[]{}#&*!|>'\"%@`", s[0]) >= 0 {
		quote = '\''
	}
	for i := range len(s) {
		c := s[i]
		switch {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', strings.IndexByte("_-^., \t", c) >= 0:
		case c < 0x20 || c >= 0x7f:
			return '"'
		default:
			quote = '\''
		}
	}
	return quote
}

func doubleQuoted(s string) string {
	names := map[byte]byte{
		'\\': '\\', '"': '"', 0: '0', 7: 'a', 8: 'b', '\t': 't', '\n': 'n', 0xb: 'v', 0xc: 'f', '\r': 'r', 0x1b: 'e',
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch name, ok := names[s[i]]; {
		case ok:
			b.WriteByte('\\')
			b.WriteByte(name)
		case s[i] < 0x20 || s[i] == 0x7f:
			fmt.Fprintf(&b, "\\x%02X", s[i])
		default:
			b.WriteByte(s[i])
		}
	}
	b.WriteByte('"')
	return b.String()
}
