package llvm

import (
	"bytes"
	"regexp"
	"strconv"
)

// plausibleText reports whether a text file is a text profile by its
// first record: a line of its header, or a name, a hash and a number of counters. A
// file of nothing but comments of text profiles is one too.
func plausibleText(data []byte) bool {
	var seen [][]byte
	others := false // comments that no tool writes into profiles, such as #include
	rest := data[:min(len(data), 1<<16)]
	for len(rest) > 0 && len(seen) < 3 {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) == 0 || line[0] == '#' {
			others = others || len(line) > 1 && line[1] != ' '
			continue
		}
		if line[0] == ':' {
			return headerLine.Match(line)
		}
		seen = append(seen, line)
	}
	if len(seen) < 3 {
		return len(seen) == 0 && !others
	}
	_, hash := strconv.ParseUint(string(seen[1]), 0, 64)
	_, counters := strconv.ParseUint(string(seen[2]), 10, 64)
	return hash == nil && counters == nil
}

// headerLine matches a line that says of a text profile what it is.
var headerLine = regexp.MustCompile(`(?i)^:[a-z_]+[ \t]*$`)

// proseWithin is how much of a text tells that it is of another kind: as much as is
// asked about before it is uploaded.
const proseWithin = 4 << 10

// numberLine matches what a text profile has in every record: a line that is a
// number alone.
var numberLine = regexp.MustCompile(`(?i)^(0x[0-9a-f]*|\d+)$`)

// isProse reports whether a text is plainly no text profile, damaged as it may be:
// of its first whole lines that are no comments none is a number or belongs to a
// header, and there are several, or one of several words. A profile that is cut
// within its first name is not told apart from other text, and is no prose.
func isProse(data []byte) bool {
	first := data[:min(len(data), proseWithin)]
	if len(first) < len(data) {
		first = first[:bytes.LastIndexByte(first, '\n')+1]
	}
	lines, words := 0, false
	for line := range bytes.Lines(first) {
		if line = bytes.Trim(line, " \t\v\f\r\n"); len(line) == 0 || line[0] == '#' {
			continue
		}
		if line[0] == ':' || numberLine.Match(line) {
			return false
		}
		lines, words = lines+1, words || bytes.IndexByte(line, ' ') > 0
	}
	return lines > 1 || words
}
