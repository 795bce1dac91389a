package memprof

import (
	"crypto/md5"
	"encoding/binary"
	"strings"
)

// GUID is the number by which profiles name a function: the first eight MD5
// bytes of its canonical linkage name (memprof.md §2.4).
func GUID(name string) uint64 {
	sum := md5.Sum([]byte(Canonical(name)))
	return binary.LittleEndian.Uint64(sum[:])
}

// Canonical is a linkage name without what the compiler put behind it to keep
// copies of a function apart (memprof.md §2.4).
func Canonical(name string) string {
	for _, suffix := range []string{".llvm.", ".part."} {
		at := strings.LastIndex(name, suffix)
		if at < 0 {
			continue
		}
		dot := strings.LastIndexByte(name, '.')
		if dot == at || dot == at+len(suffix)-1 {
			name = name[:at]
		}
	}
	return name
}
