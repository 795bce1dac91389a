package model

import (
	"crypto/md5"
	"encoding/binary"
	"strings"
)

// GUID is the number by which heap profiles name a function: the first eight MD5
// bytes of its canonical linkage name (memprof.md §2.4).
func GUID(linkage string) uint64 {
	sum := md5.Sum([]byte(CanonicalName(linkage)))
	return binary.LittleEndian.Uint64(sum[:])
}

// CanonicalName is a linkage name without what the compiler put behind it to
// keep copies of a function apart (memprof.md §2.4).
func CanonicalName(linkage string) string {
	for _, suffix := range []string{".llvm.", ".part."} {
		at := strings.LastIndex(linkage, suffix)
		if at < 0 {
			continue
		}
		dot := strings.LastIndexByte(linkage, '.')
		if dot == at || dot == at+len(suffix)-1 {
			linkage = linkage[:at]
		}
	}
	return linkage
}
