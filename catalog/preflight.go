package catalog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"proflens/catalog/engine"
)

// NoCatalogError is returned for a data folder with files of profiles and no
// catalog that names any: what it had was lost, or the folder was restored in part.
type NoCatalogError struct {
	Place Place
	Files int // originals and tables that are there
}

func (e *NoCatalogError) Error() string {
	restore, again := "catalog.db (and catalog.db-wal)", ""
	if e.Place.Database != "" {
		restore, again = "the database", " -catalog URL"
	}
	return fmt.Sprintf("data folder %s: %s is missing or empty, but there are %d profile files: "+
		"restore %s from a backup, or run \"proflens repair -data %s%s\" to make a new catalog of them", e.Place.Dir,
		e.Place, e.Files, restore, e.Place.Dir, again)
}

// NewerError is returned for a catalog that a newer Proflens has written.
type NewerError struct {
	Place        Place
	Found, Known int64 // versions of the catalog's schema
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("data folder %s: %s has schema %d, and this Proflens knows up to %d: start the newer Proflens "+
		"that wrote it, or restore a backup from before",
		e.Place.Dir, e.Place, e.Found, e.Known)
}

// preflight looks at a data folder before anything in it is changed. It returns
// the schema of its catalog, 0 where there is none yet, and *NewerError; and
// *NoCatalogError unless a new catalog may be made beside files that are there.
func preflight(ctx context.Context, place Place, db *engine.DB, anew bool) (schema int64, err error) {
	if schema, err = db.Schema(ctx); err != nil {
		return 0, fmt.Errorf("data folder %s: %w", place.Dir, err)
	}
	if newest := engine.Newest(); schema > newest {
		return schema, &NewerError{place, schema, newest}
	}
	if schema > 0 || anew {
		return schema, nil
	}
	files := 0
	for _, sub := range []string{"objects", "profiles", quarantineDir} {
		n, err := countFiles(filepath.Join(place.Dir, sub))
		if err != nil {
			return 0, err
		}
		files += n
	}
	if files > 0 {
		return 0, &NoCatalogError{place, files}
	}
	return 0, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// countFiles counts the files below a folder, which need not be there.
func countFiles(dir string) (n int, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && d.Type().IsRegular() {
			n++
		}
		return err
	})
	return n, err
}
