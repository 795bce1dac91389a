//go:build unix

package mmap

import (
	"math"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// maps are those that were made, by their first bytes: their sizes.
var maps sync.Map

func mapFile(f *os.File, size int64) ([]byte, error) {
	if size > math.MaxInt {
		return nil, errNotMapped
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_PRIVATE)
	if err == nil {
		maps.Store(&data[0], len(data))
	}
	return data, err
}

// unmap leaves alone what was read.
func unmap(data []byte) {
	if isMapped(data) {
		maps.Delete(&data[0])
		_ = unix.Munmap(data)
	}
}

func isMapped(data []byte) bool {
	if len(data) == 0 {
		return false
	}
	size, ok := maps.Load(&data[0])
	return ok && size == len(data)
}

// pass forgets the pages that lie within; memory that is no map would be lost.
func pass(data []byte, from, to int) {
	page := os.Getpagesize()
	from = (from + page - 1) / page * page
	to = to / page * page
	if from < to && isMapped(data) {
		_ = unix.Madvise(data[from:to], unix.MADV_DONTNEED)
	}
}
