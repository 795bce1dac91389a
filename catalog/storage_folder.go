package catalog

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"proflens/catalog/engine"
	"proflens/catalog/objects"
	"proflens/profile/stored"
)

// inFolder keeps files in the data folder: originals by their SHA-256, tables by their
// profile and generation.
type inFolder struct {
	s     *Catalog
	files *objects.Folder

	// publishing is held shared while originals are published together with the rows
	// that name them, and alone while unreferenced ones are removed.
	publishing sync.RWMutex

	seen map[string]int64 // the folders with files, when the process began
}

// originalKey is the name of an original in a data folder and in a backup.
func originalKey(sum string) string { return "objects/" + sum[:2] + "/" + sum }

func (d *inFolder) dir() string { return filepath.Join(d.s.dir, "objects") }

func (d *inFolder) enter(ctx context.Context) error {
	d.seen = d.s.foldersNow()
	return d.s.enterFolders(ctx)
}

func (d *inFolder) close() error {
	d.s.leaveFolders(d.seen)
	return nil
}

func (d *inFolder) stats() objects.Stats { return objects.Stats{} }

// bring moves sealed files to their names before the transaction that names them, so
// that it need not wait for the disk, unless other processes may remove them in between.
func (d *inFolder) bring(ctx context.Context, files []NewFile, commit func(settle settleOriginals) error) error {
	err := d.putAll(ctx, files, commit)
	if err != nil && !d.s.db.Shared() {
		d.takeBack(ctx, files)
	}
	return err
}

// takeBack removes the originals of files that no profile has: the catalog refused them.
// What cannot be looked up stays, for the next start to find.
func (d *inFolder) takeBack(ctx context.Context, files []NewFile) {
	d.publishing.Lock()
	defer d.publishing.Unlock()
	for _, f := range files {
		used, err := engine.One[bool](ctx, d.s.db.Read, hasOriginal, f.Staged.SHA256)
		if err == nil && !used {
			_ = d.files.Delete(ctx, originalKey(f.Staged.SHA256)) // else it is as before
		}
	}
}

func (d *inFolder) putAll(ctx context.Context, files []NewFile, commit func(settle settleOriginals) error) error {
	d.publishing.RLock()
	defer d.publishing.RUnlock()
	if !d.s.db.Shared() {
		if err := d.put(ctx, files); err != nil {
			return fmt.Errorf("storing originals: %w", err)
		}
	}
	return commit(func(tx *engine.Tx) { d.keep(tx, files) })
}

func (d *inFolder) put(ctx context.Context, files []NewFile) error {
	sealed := make([]objects.Sealed, len(files))
	for i, f := range files {
		sealed[i] = objects.Sealed{Key: originalKey(f.Staged.SHA256), Path: f.Staged.Path}
	}
	if err := d.files.Put(ctx, sealed...); err != nil {
		return err
	}
	for _, f := range files {
		f.Staged.release()
	}
	return nil
}

// keep has others wait who would remove the originals of files, until the transaction
// ends that names them, and puts those that are not there yet. It fails with ErrGarbage
// where one was removed since, because the transaction had to begin anew.
func (d *inFolder) keep(tx *engine.Tx, files []NewFile) {
	sums := make([]string, len(files))
	for i, f := range files {
		sums[i] = f.Staged.SHA256
	}
	for _, sum := range inOrder(sums) {
		tx.Lock("object " + sum)
	}
	if d.s.db.Shared() && tx.Err() == nil {
		staged := slices.DeleteFunc(slices.Clone(files), func(f NewFile) bool { return !exists(f.Staged.Path) })
		tx.Fail(d.put(tx.Context, staged))
	}
	for _, sum := range sums {
		if !d.has(tx.Context, sum) {
			tx.Fail(ErrGarbage)
		}
	}
}

// inOrder has everybody lock in one order, so that nobody waits in a circle.
func inOrder(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }

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
	if len(sums) == 0 {
		return nil
	}
	return d.s.update(ctx, recoverable, func(tx *engine.Tx) {
		for _, sum := range inOrder(sums) {
			tx.Lock("object " + sum)
			if used := engine.Get[bool](tx, hasOriginal, sum); !used && tx.Err() == nil {
				tx.Fail(d.files.Delete(ctx, originalKey(sum)))
			}
			tx.Exec(`DELETE FROM garbage WHERE sha256 = ?`, sum)
		}
	})
}

// path is where tables of a name are.
func (d *inFolder) path(name string) string { return d.files.Path(tablesKey(name)) }

// publish moves a file, which is on the disk already, to its name. Should the machine
// lose the name, the profile is decoded again.
func (d *inFolder) publish(_ context.Context, job *Job, built string) (string, error) {
	name := job.name() + ".db"
	path := d.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	return name, os.Rename(built, path)
}

func (d *inFolder) settleTables(*engine.Tx, string) {}

func (d *inFolder) tables(_ context.Context, e *Entry) (*stored.Profile, error) {
	path := d.path(e.tables)
	return d.s.handles.acquire(path, func() (*stored.Profile, error) { return openFile(path, e.crc) })
}

func (d *inFolder) retire(_ context.Context, name string) { d.s.handles.retireFile(d.path(name)) }

// sweep removes the files that are known to be garbage and puts aside what else the
// catalog does not name.
func (d *inFolder) sweep(ctx context.Context) error {
	swept, err := d.s.sweptFolders(ctx)
	if err == nil {
		err = d.s.sweepObjects(ctx, swept)
	}
	if err == nil {
		err = d.s.sweepTables(ctx, swept)
	}
	return err
}

func (d *inFolder) tend(context.Context) error { return nil }

// forgetGarbage ends the record of all originals that were to be removed.
func (s *Catalog) forgetGarbage(ctx context.Context) error {
	some, err := engine.One[bool](ctx, s.db.Write, `SELECT EXISTS (SELECT 1 FROM garbage)`)
	if err != nil || !some { // nothing is written where there is nothing to forget
		return err
	}
	return s.update(ctx, recoverable, func(tx *engine.Tx) { tx.Exec(`DELETE FROM garbage`) })
}
