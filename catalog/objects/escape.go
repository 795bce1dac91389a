package objects

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Characters that a store cannot have in a key stand there as their number,
// "__0x2f__", as in the buckets that gocloud.dev wrote.
var (
	escapeSequence = regexp.MustCompile(`__0x([0-9a-fA-F]{1,8})__`)
	escapeAtStart  = regexp.MustCompile(`^` + escapeSequence.String())
)

// escape replaces the characters that must be, and what only looks like a replacement.
func escape(key string, must func(key []rune, i int) bool) string {
	runes := []rune(key)
	var b strings.Builder
	for i, r := range runes {
		if must(runes, i) || r == '_' && escapeAtStart.MatchString(string(runes[i:])) {
			fmt.Fprintf(&b, "__%#x__", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func unescape(key string) string {
	return escapeSequence.ReplaceAllStringFunc(key, func(s string) string {
		n, err := strconv.ParseInt(s[len("__0x"):len(s)-len("__")], 16, 32)
		if err != nil {
			return s
		}
		return string(rune(n))
	})
}

// upwards is the slash of "../../", and a control character: no store takes these.
func upwards(key []rune, i int) bool {
	return key[i] < ' ' || key[i] == '/' && i > 1 && key[i-1] == '.' && key[i-2] == '.'
}
