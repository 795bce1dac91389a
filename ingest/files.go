package ingest

import (
	"context"
	"fmt"

	"proflens/catalog"
	"proflens/ingest/tasks"
)

// filesOf are originals as tasks name them, each seen to be what was uploaded. They are
// there until they are released.
func filesOf(ctx context.Context, st *catalog.Catalog,
	entries []catalog.FileEntry) (files []tasks.File, release func(), err error) {
	var held []func()
	release = func() {
		for _, free := range held {
			free()
		}
	}
	alone := addedAlone(entries)
	for _, e := range entries {
		f, err := st.OpenObject(ctx, e.SHA256)
		if err != nil {
			release()
			return nil, nil, fmt.Errorf("original %s: %w", e.Name, err)
		}
		path, free := f.Hold()
		held = append(held, free)
		files = append(files, tasks.File{Name: e.Name, Path: path, Optional: !e.Pending || !alone, Salvage: e.Salvage})
	}
	return files, release, nil
}

// addedAlone reports whether one file was added by itself: what it is, is what was meant. Of
// several the useful are taken, and the rest is left out, as of an upload.
func addedAlone(entries []catalog.FileEntry) bool {
	added := 0
	for _, e := range entries {
		if e.Pending {
			added++
		}
	}
	return added == 1
}
