package catalog

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"proflens/profiledb/stored"
)

// OpenObject opens an original by its SHA-256 in hex. It returns ErrNotFound
// when there is none.
func (s *Catalog) OpenObject(sha256 string) (*os.File, error) {
	if raw, err := hex.DecodeString(sha256); err != nil || len(raw) != 32 {
		return nil, ErrNotFound
	}
	f, err := os.Open(s.objectPath(sha256))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotFound
	}
	return f, err
}

func (s *Catalog) objectPath(sha256 string) string {
	return filepath.Join(s.dir, "objects", sha256[:2], sha256)
}

// publishObjects moves sealed files to their names and makes the moves
// durable. The caller holds s.objects shared until the rows that name the
// objects are committed, so that none is taken for an orphan in between.
func (s *Catalog) publishObjects(files []NewFile) error {
	dirs := map[string]bool{}
	for _, f := range files {
		path := s.objectPath(f.Staged.SHA256)
		dir := filepath.Dir(path)
		if err := s.makeShard(dir); err != nil {
			return err
		}
		if _, err := os.Stat(path); err == nil { // the same content is here already
			if err := f.Staged.Discard(); err != nil {
				return err
			}
		} else if err := os.Rename(f.Staged.Path, path); err != nil {
			return err
		}
		// Synced even when the object was here: its own upload may not have
		// come that far yet.
		dirs[dir] = true
	}
	for dir := range dirs {
		if err := stored.SyncDir(dir); err != nil {
			return err
		}
	}
	return nil
}

// makeShard creates a folder below objects/ and makes its name durable, which
// a process that found it there cannot take for granted the first time.
func (s *Catalog) makeShard(dir string) error {
	if _, known := s.shards.Load(dir); known {
		return nil
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := stored.SyncDir(filepath.Dir(dir)); err != nil {
		return err
	}
	s.shards.Store(dir, true)
	return nil
}

// removeOrphans removes those of the objects that no profile uses any more.
func (s *Catalog) removeOrphans(ctx context.Context, sums []string) error {
	s.objects.Lock()
	defer s.objects.Unlock()
	for _, sum := range sums {
		var used bool
		// Asked of the writer: what was committed a moment ago counts.
		if err := s.write.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM file WHERE sha256 = ?)`, sum).Scan(&used); err != nil {
			return fmt.Errorf("catalog: %w", err)
		}
		if used {
			continue
		}
		if err := os.Remove(s.objectPath(sum)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
