package tasks

import (
	"fmt"
	"io"
	"slices"

	"proflens/decode/format"
	"proflens/internal/mmap"
)

// File is an original file, by where it lies.
type File struct {
	Name     string // as its uploader called it
	Path     string
	Optional bool // it may be left out when it is of no kind that is read
	Salvage  bool // its readable beginning is wanted, should it end too soon
}

// open maps files for decoding. Nothing that was decoded may be used once the
// closer is closed.
func open(files []File) ([]format.File, io.Closer, error) {
	opened := make([]format.File, 0, len(files))
	var maps mappings
	for _, f := range files {
		data, err := mmap.ReadFile(f.Path)
		if err != nil {
			maps.Close()
			return nil, nil, fmt.Errorf("original %s: %w", f.Name, err)
		}
		maps = append(maps, data)
		opened = append(opened, format.File{Name: f.Name, Data: data, Optional: f.Optional})
	}
	return opened, maps, nil
}

// salvaged reports whether the beginnings of files that end too soon are wanted.
func salvaged(files []File) bool {
	return slices.ContainsFunc(files, func(f File) bool { return f.Salvage })
}

// mappings are closed together.
type mappings [][]byte

// Close unmaps all.
func (m mappings) Close() error {
	for _, data := range m {
		mmap.Release(data)
	}
	return nil
}
