//go:build unix

package ingest

import (
	"fmt"
	"math"
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a whole file for reading, so that decoding a large one takes no
// memory of its own. An empty file is nil.
func mapFile(f *os.File) ([]byte, error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return nil, err
	}
	if info.Size() > math.MaxInt {
		return nil, fmt.Errorf("%d bytes are more than this machine can address", info.Size())
	}
	return unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_PRIVATE)
}

func unmap(data []byte) {
	if data != nil {
		unix.Munmap(data)
	}
}
