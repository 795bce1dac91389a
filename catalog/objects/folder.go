package objects

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"proflens/internal/fsync"
)

// Folder keeps files in a folder of one process, under their keys. A file appears by
// rename, and its name is on the disk when Put returns.
type Folder struct {
	dir      string
	shards   sync.Map // folders whose own names are known to be on the disk
	verified verified
}

// NewFolder keeps files in dir, which must be there, on the file system of the files
// that are put into it.
func NewFolder(dir string) *Folder { return &Folder{dir: dir} }

// Path is where the file of a key is, or would be.
func (d *Folder) Path(key string) string { return filepath.Join(d.dir, filepath.FromSlash(key)) }

// Put moves files to their names, in the place of those that are there: these are
// known to be whole.
func (d *Folder) Put(_ context.Context, files ...Sealed) error {
	dirs := map[string]bool{}
	for _, f := range files {
		path := d.Path(f.Key)
		dir := filepath.Dir(path)
		if err := d.makeShard(dir); err != nil {
			return err
		}
		if err := os.Rename(f.Path, path); err != nil {
			return err
		}
		d.verified.passed(path, f.Key)
		dirs[dir] = true
	}
	for dir := range dirs {
		if err := fsync.SyncDir(dir); err != nil {
			return err
		}
	}
	return nil
}

// makeShard creates a folder and makes its name durable, which a process that found it
// there cannot take for granted the first time.
func (d *Folder) makeShard(dir string) error {
	if _, known := d.shards.Load(dir); known {
		return nil
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := fsync.SyncDir(filepath.Dir(dir)); err != nil {
		return err
	}
	d.shards.Store(dir, true)
	return nil
}

// Open opens a file and has seen since the process began that it has this content.
func (d *Folder) Open(_ context.Context, key string, want Content) (*File, error) {
	f, err := os.Open(d.Path(key))
	if err != nil {
		return nil, err
	}
	if err := d.verified.check(f, key, want); err != nil {
		f.Close()
		return nil, err
	}
	return &File{File: f}, nil
}

// Forget has the file of a key read through when it is next opened.
func (d *Folder) Forget(key string) { d.verified.forget(key) }

// Delete removes a file that may be gone.
func (d *Folder) Delete(_ context.Context, key string) error {
	if err := os.Remove(d.Path(key)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// List visits files that stand under the first two letters of their names, as in
// objects/ab/abcd: others are not ours.
func (d *Folder) List(ctx context.Context, prefix string) Items {
	return func(yield func(Item, error) bool) {
		shards, err := os.ReadDir(d.Path(prefix))
		if err != nil {
			yield(Item{}, err)
			return
		}
		for _, shard := range shards {
			if shard.IsDir() && len(shard.Name()) == 2 && !d.listShard(ctx, prefix+shard.Name()+"/", yield) {
				return
			}
		}
	}
}

// listShard visits one folder and returns false to end.
func (d *Folder) listShard(ctx context.Context, prefix string, yield func(Item, error) bool) bool {
	files, err := os.ReadDir(d.Path(prefix))
	if err = errors.Join(err, ctx.Err()); err != nil {
		return yield(Item{}, err) && false
	}
	for _, e := range files {
		if !strings.HasPrefix(e.Name(), filepath.Base(prefix)) || !e.Type().IsRegular() {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return yield(Item{}, err) && false
		}
		if !yield(Item{prefix + e.Name(), info.Size(), info.ModTime()}, nil) {
			return false
		}
	}
	return true
}
