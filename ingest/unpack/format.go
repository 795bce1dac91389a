package unpack

import (
	"bytes"
	"strings"
)

// format is a way of packing.
type format int

const (
	none format = iota
	gzipStream
	zstdStream
	xzStream
	bzip2Stream
	zipArchive
	tarArchive
)

func (f format) String() string {
	return [...]string{"", "gzip", "zstd", "xz", "bzip2", "zip", "tar"}[f]
}

// Describe says how a file is packed that begins so, such as "packed with gzip"; nothing
// of one that is not.
func Describe(head []byte) string {
	switch f := sniff(head); f {
	case none:
		return ""
	case zipArchive, tarArchive:
		return "a " + f.String() + " archive"
	default:
		return "packed with " + f.String()
	}
}

// sniffLen is how much of a file tells its format: a tar header.
const sniffLen = 512

// sniff recognises a format by its first bytes.
func sniff(b []byte) format {
	switch {
	case bytes.HasPrefix(b, []byte{0x1f, 0x8b, 8}):
		return gzipStream
	case bytes.HasPrefix(b, []byte{0x28, 0xb5, 0x2f, 0xfd}), isSkippable(b):
		return zstdStream
	case bytes.HasPrefix(b, []byte("\xfd7zXZ\x00")):
		return xzStream
	case isBzip2(b):
		return bzip2Stream
	case bytes.HasPrefix(b, []byte("PK\x03\x04")), bytes.HasPrefix(b, []byte("PK\x05\x06")):
		return zipArchive
	case isTar(b):
		return tarArchive
	}
	return none
}

// isSkippable recognises the frames that zstd tools put before the data.
func isSkippable(b []byte) bool {
	return len(b) >= 8 && b[0]&0xf0 == 0x50 && bytes.Equal(b[1:4], []byte{0x2a, 0x4d, 0x18})
}

// isBzip2 looks at the first block's magic too: "BZh" alone could begin a text.
func isBzip2(b []byte) bool {
	if len(b) < 10 || string(b[:3]) != "BZh" || b[3] < '1' || b[3] > '9' {
		return false
	}
	block := string(b[4:10])
	return block == "\x31\x41\x59\x26\x53\x59" || block == "\x17\x72\x45\x38\x50\x90"
}

// isTar checks the header's checksum, which tars older than the "ustar" magic
// have too. The checksum counts its own field as blanks.
func isTar(b []byte) bool {
	if len(b) < 512 {
		return false
	}
	field := strings.Trim(string(b[148:156]), " \x00")
	if field == "" || len(field) > 7 {
		return false
	}
	var want, sum uint64
	for _, c := range []byte(field) {
		if c < '0' || c > '7' {
			return false
		}
		want = want<<3 | uint64(c-'0')
	}
	for i, c := range b[:512] {
		if 148 <= i && i < 156 {
			c = ' '
		}
		sum += uint64(c)
	}
	return sum == want
}

// inner is the name of what a compressed stream holds.
func (f format) inner(name string) string {
	for _, s := range [...][]string{
		gzipStream:  {".gz", ".gzip", ".tgz"},
		zstdStream:  {".zst", ".zstd", ".tzst"},
		xzStream:    {".xz", ".txz"},
		bzip2Stream: {".bz2", ".tbz2", ".tbz"},
	}[f] {
		if len(name) > len(s) && strings.EqualFold(name[len(name)-len(s):], s) {
			base := name[:len(name)-len(s)]
			if s[1] == 't' {
				base += ".tar"
			}
			return base
		}
	}
	return name
}
