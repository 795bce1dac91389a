// Package mmap reads whole files, mapped into memory where the system can, so
// that decoding a large file takes no memory of its own.
package mmap

import (
	"errors"
	"io"
	"os"
)

// errNotMapped is returned for what cannot be mapped; it is read instead.
var errNotMapped = errors.New("not mapped")

// Read returns the content of f from its first byte: a map of a regular file,
// which outlives the open file, else what there is to read. What it returns
// must not be written to. Whoever has it gives it to Release in the end.
func Read(f *os.File) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() && info.Size() > 0 {
		if data, err := mapFile(f, info.Size()); err == nil {
			return data, nil
		}
	}
	return io.ReadAll(f)
}

// ReadFile is Read of a file by name.
func ReadFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(f)
}

// Release gives back what Read returned; nothing of it may be used afterwards.
func Release(data []byte) { unmap(data) }

// Passed says that bytes of what Read returned, from one to before another, were read and
// will not soon be read again: they no longer count as memory of the process. They may be
// used nevertheless.
func Passed(data []byte, from, to uint64) {
	if to <= uint64(len(data)) && from < to {
		pass(data, int(from), int(to))
	}
}
