package ingest

import (
	"fmt"
	"io"
	"slices"

	"proflens/catalog"
	"proflens/decode/format"
	"proflens/mapped"
)

// openFiles maps originals for decoding. Nothing that was decoded may be used
// once the closer is closed.
func openFiles(st *catalog.Catalog, entries []catalog.FileEntry) ([]format.File, io.Closer, error) {
	files := make([]format.File, 0, len(entries))
	var maps mappings
	for _, e := range entries {
		f, err := st.OpenObject(e.SHA256)
		if err != nil {
			maps.Close()
			return nil, nil, fmt.Errorf("original %s: %w", e.Name, err)
		}
		data, err := mapped.Read(f)
		f.Close() // the map stays
		if err != nil {
			maps.Close()
			return nil, nil, fmt.Errorf("original %s: %w", e.Name, err)
		}
		maps = append(maps, data)
		files = append(files, format.File{Name: e.Name, Data: data, Optional: !e.Pending})
	}
	return files, maps, nil
}

// salvaged reports whether the beginnings of files that end too soon are wanted.
func salvaged(files []catalog.FileEntry) bool {
	return slices.ContainsFunc(files, func(f catalog.FileEntry) bool { return f.Salvage })
}

// mappings are closed together.
type mappings [][]byte

// Close unmaps all.
func (m mappings) Close() error {
	for _, data := range m {
		mapped.Release(data)
	}
	return nil
}
