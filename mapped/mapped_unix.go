//go:build unix

package mapped

import (
	"math"
	"os"

	"golang.org/x/sys/unix"
)

func mapFile(f *os.File, size int64) ([]byte, error) {
	if size > math.MaxInt {
		return nil, errNotMapped
	}
	return unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_PRIVATE)
}

// unmap knows its maps by their first byte: what was read is left alone.
func unmap(data []byte) { _ = unix.Munmap(data) }
