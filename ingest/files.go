package ingest

import (
	"fmt"

	"proflens/catalog"
	"proflens/work"
)

// filesOf are originals as tasks name them, each seen to be what was uploaded.
func filesOf(st *catalog.Catalog, entries []catalog.FileEntry) ([]work.File, error) {
	files := make([]work.File, 0, len(entries))
	for _, e := range entries {
		path, err := st.ObjectPath(e.SHA256)
		if err != nil {
			return nil, fmt.Errorf("original %s: %w", e.Name, err)
		}
		files = append(files, work.File{Name: e.Name, Path: path, Optional: !e.Pending, Salvage: e.Salvage})
	}
	return files, nil
}
