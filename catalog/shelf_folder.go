package catalog

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"proflens/objects"
	"proflens/profiledb/stored"
)

// inFolder keeps files in the data folder: originals by their SHA-256, tables by their
// profile and generation.
type inFolder struct {
	s     *Catalog
	files *objects.Folder

	// publishing is held shared while originals are published together with the rows
	// that name them, and alone while unreferenced ones are removed.
	publishing sync.RWMutex
}

func newFolder(s *Catalog) *inFolder { return &inFolder{s: s, files: objects.NewFolder(s.dir)} }

// originalKey is the name of an original in a data folder and in a backup.
func originalKey(sum string) string { return "objects/" + sum[:2] + "/" + sum }

func (d *inFolder) dir() string { return filepath.Join(d.s.dir, "objects") }

func (d *inFolder) close() error { return nil }

// bring moves sealed files to their names before the rows are committed; none is taken
// for an orphan in between.
func (d *inFolder) bring(ctx context.Context, files []NewFile, commit func(settle settleOriginals) error) error {
	d.publishing.RLock()
	defer d.publishing.RUnlock()
	sealed := make([]objects.Sealed, len(files))
	for i, f := range files {
		sealed[i] = objects.Sealed{Key: originalKey(f.Staged.SHA256), Path: f.Staged.Path}
	}
	if err := d.files.Put(ctx, sealed...); err != nil {
		return fmt.Errorf("storing originals: %w", err)
	}
	for _, f := range files {
		f.Staged.release()
	}
	return commit(func(context.Context, *sql.Tx) error { return nil })
}

func (d *inFolder) open(ctx context.Context, sum string) (*objects.File, error) {
	return d.files.Open(ctx, originalKey(sum), objects.Content{SHA256: sum})
}

func (d *inFolder) has(_ context.Context, sum string) bool {
	return exists(d.files.Path(originalKey(sum)))
}

// clear leaves what it cannot remove known as garbage.
func (d *inFolder) clear(ctx context.Context, sums []string) error {
	d.publishing.Lock()
	defer d.publishing.Unlock()
	for _, sum := range sums {
		var used bool
		// Asked of the writer: what was committed a moment ago counts.
		if err := d.s.db.Write.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM file WHERE sha256 = ?)`, sum).Scan(&used); err != nil {
			return fmt.Errorf("catalog: %w", err)
		}
		if used {
			continue
		}
		if err := d.files.Delete(ctx, originalKey(sum)); err != nil {
			return err
		}
	}
	return d.s.forgetGarbage(ctx, sums...)
}

// path is where tables are.
func (d *inFolder) path(id string, generation int) string {
	return filepath.Join(d.s.dir, "profiles", id[:2], tablesName(id, generation))
}

// publish moves a file, which is on the disk already, to its name. Should the machine
// lose the name, the profile is decoded again.
func (d *inFolder) publish(_ context.Context, id, built string, commit func(settle settleTables) error) error {
	var path string
	err := commit(func(_ context.Context, _ *sql.Tx, generation int) error {
		path = d.path(id, generation)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		return os.Rename(built, path)
	})
	if err != nil && path != "" {
		os.Remove(path)
	}
	return err
}

func (d *inFolder) tables(_ context.Context, e *Entry) (*stored.Profile, error) {
	path := d.path(e.ID, e.generation)
	return d.s.handles.acquire(path, func() (*stored.Profile, error) { return openFile(path, e.crc) })
}

func (d *inFolder) retire(_ context.Context, id string, generation int) {
	d.s.handles.retireFile(d.path(id, generation))
}

// sweep removes the files that are known to be garbage and puts aside what else the
// catalog does not name.
func (d *inFolder) sweep(ctx context.Context) error {
	s := d.s
	if err := s.sweepObjects(ctx); err != nil {
		return err
	}
	profiles, err := s.known(ctx, `SELECT id || '-' || generation || '.db' FROM profile WHERE generation > 0`)
	if err != nil {
		return err
	}
	if err := s.sweepTables(ctx, profiles); err != nil {
		return err
	}
	return s.missingTables(ctx, profiles)
}

// forgetGarbage ends the record of originals that are removed, or used again;
// without names, of all.
func (s *Catalog) forgetGarbage(ctx context.Context, sums ...string) error {
	var some bool // nothing is written where there is nothing to forget
	if err := s.db.Write.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM garbage)`).Scan(&some); err != nil || !some {
		return err
	}
	return s.update(ctx, recoverable, func(tx *sql.Tx, _ int64) (err error) {
		if len(sums) == 0 {
			_, err = tx.ExecContext(ctx, `DELETE FROM garbage`)
		}
		for _, sum := range sums {
			if err == nil {
				_, err = tx.ExecContext(ctx, `DELETE FROM garbage WHERE sha256 = ?`, sum)
			}
		}
		if err != nil {
			return fmt.Errorf("catalog: %w", err)
		}
		return nil
	})
}
