package dcpi

import (
	"bytes"
	"regexp"
	"slices"

	"proflens/decode/wire"
)

// recogniseWithin is how much of a file is looked at.
const recogniseWithin = 64 << 10

// Is reports whether a file begins as a profile does: with lines of
// keywords, two required ones among them, and the end of the header behind. Of a
// file that is cut there, or damaged, the first two lines tell.
func Is(data []byte) bool {
	limit := data[:min(len(data), recogniseWithin)]
	needed, begins := map[string]bool{}, false
	for n := 0; ; n++ {
		line, rest, whole := bytes.Cut(limit, []byte("\n"))
		line = bytes.TrimSuffix(line, []byte("\r"))
		key, _, ok := splitLine(line)
		kind := KindOfLine(string(key))
		switch {
		case n == 0 && whole && bytes.HasPrefix(line, []byte("version")) && bytes.Contains(line, []byte("pdb-")):
			return true
		case n > 0 && isTerminator(line):
			return begins || len(needed) >= 2
		case !ok || !whole || bytes.IndexByte(line, 0) >= 0:
			return false
		case begins && kind != Unknown:
			return true
		}
		begins = begins || n == 0 && kind != Unknown
		if slices.Contains(required, string(key)) {
			needed[string(key)] = true
		}
		limit = rest
	}
}

// Peek reads the header alone. What it returns is as far as it got.
func Peek(data []byte) (h Header, err error) {
	c := wire.New("header", data[:headerSize(data)], 0)
	if err = readLines(c, &h); err == nil {
		_, err = parseLines(c, &h)
	}
	return h, err
}

// catStart matches how dcpicat begins: a few lines of its own keywords, the
// address of the text or an event with its total among them.
var catStart = regexp.MustCompile(`\A\s*((name|image|label|path|epoch|platform)[ \t]+\S[^\n]*\n)+` +
	`(text_start[ \t]+0x|text_size[ \t]+0x|event[ \t]+\d+[ \t]+\S+:)`)

// IsCat reports whether a file begins as the text of dcpicat does.
func IsCat(data []byte) bool { return catStart.Match(data[:min(len(data), recogniseWithin)]) }
