//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a file into memory for reading; the map outlives the open file.
func mapFile(f *os.File, size int64) (data []byte, unmap func() error, err error) {
	data, err = unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_PRIVATE)
	if err != nil {
		return nil, nil, err
	}
	return data, func() error { return unix.Munmap(data) }, nil
}
