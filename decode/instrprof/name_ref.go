package instrprof

import (
	"crypto/md5" //nolint:gosec // the formats name functions by MD5
	"encoding/binary"
)

// NameRef is the hash by which profiles refer to a name: the first eight bytes
// of its MD5, read little-endian, whatever the byte order of the file
// (instrprof.md, conventions and §4).
func NameRef(name []byte) uint64 {
	sum := md5.Sum(name)
	return binary.LittleEndian.Uint64(sum[:8])
}
