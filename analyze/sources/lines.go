package sources

import "bytes"

// Lines splits a file into lines as llvm-cov does: at "\n" or "\r\n", and no further
// than to a byte of zero. A file without lines has none, which is not nil.
func Lines(text []byte) [][]byte {
	if end := bytes.IndexByte(text, 0); end >= 0 {
		text = text[:end]
	}
	lines := make([][]byte, 0, bytes.Count(text, []byte("\n"))+1)
	for len(text) > 0 {
		line, rest, ended := bytes.Cut(text, []byte("\n"))
		if ended {
			line = bytes.TrimSuffix(line, []byte("\r"))
		}
		lines = append(lines, line)
		text = rest
	}
	return lines
}
