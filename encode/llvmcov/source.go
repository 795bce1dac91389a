package llvmcov

import "bytes"

// Source is the lines of a file.
type Source [][]byte

// NewSource splits a file into lines as llvm-cov does: at "\n" or "\r\n", and no
// further than to a byte of zero.
func NewSource(data []byte) Source {
	if end := bytes.IndexByte(data, 0); end >= 0 {
		data = data[:end]
	}
	var lines Source
	for len(data) > 0 {
		line, rest, ended := bytes.Cut(data, []byte("\n"))
		if ended {
			line = bytes.TrimSuffix(line, []byte("\r"))
		}
		lines = append(lines, line)
		data = rest
	}
	return lines
}
