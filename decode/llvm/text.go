package llvm

import (
	"bytes"
	"strconv"
)

// plausibleText reports whether a text file could be a text profile by its
// first record: a header line, or a name, a hash and a number of counters. A
// file of nothing but comments is one too.
func plausibleText(data []byte) bool {
	var seen [][]byte
	rest := data[:min(len(data), 1<<16)]
	for len(rest) > 0 && len(seen) < 3 {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if line[0] == ':' {
			return true
		}
		seen = append(seen, line)
	}
	if len(seen) < 3 {
		return len(seen) == 0
	}
	_, hash := strconv.ParseUint(string(seen[1]), 0, 64)
	_, counters := strconv.ParseUint(string(seen[2]), 10, 64)
	return hash == nil && counters == nil
}
