package catalog

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"proflens/profiledb/stored"
)

// OpenObject opens an original by its SHA-256 in hex, and has seen since the
// process began that its content has that sum. It returns *OriginalError when it
// has not, or there is none.
func (s *Catalog) OpenObject(sha256 string) (*os.File, error) {
	if raw, err := hex.DecodeString(sha256); err != nil || len(raw) != 32 {
		return nil, &OriginalError{SHA256: sha256}
	}
	f, err := os.Open(s.objectPath(sha256))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &OriginalError{SHA256: sha256}
	} else if err != nil {
		return nil, err
	}
	if err := s.verified.check(f, sha256); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// ObjectPath is where an original lies, for a process that reads it by name. It has
// seen its content as OpenObject does, and returns the same errors.
func (s *Catalog) ObjectPath(sha256 string) (string, error) {
	f, err := s.OpenObject(sha256)
	if err != nil {
		return "", err
	}
	return s.objectPath(sha256), f.Close()
}

// ObjectsDir is the folder of all originals.
func (s *Catalog) ObjectsDir() string { return filepath.Join(s.dir, "objects") }

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
		// In the place of one that is here already: this one is known to be whole.
		if err := os.Rename(f.Staged.Path, path); err != nil {
			return err
		}
		f.Staged.release()
		s.verified.passed(path, f.Staged.SHA256)
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

// publishAhead publishes files before the transaction that names them, so that it need
// not wait for the disk, unless other processes may remove them in between.
func (s *Catalog) publishAhead(files []NewFile) error {
	if s.db.Shared() {
		return nil // keepObjects does
	}
	return s.publishObjects(files)
}

// keepObjects has others wait who would remove the originals of files, until the
// transaction ends that names them, and publishes those that are not yet. It returns
// ErrGarbage where one was removed since, because the transaction had to begin anew.
func (s *Catalog) keepObjects(ctx context.Context, tx *sql.Tx, files []NewFile) error {
	sums := make([]string, len(files))
	for i, f := range files {
		sums[i] = f.Staged.SHA256
	}
	for _, sum := range inOrder(sums) {
		if err := s.db.Lock(ctx, tx, "object "+sum); err != nil {
			return err
		}
	}
	if s.db.Shared() {
		staged := slices.DeleteFunc(slices.Clone(files), func(f NewFile) bool { return !exists(f.Staged.Path) })
		if err := s.publishObjects(staged); err != nil {
			return err
		}
	}
	for _, sum := range sums {
		if !exists(s.objectPath(sum)) {
			return ErrGarbage
		}
	}
	return nil
}

// ErrGarbage is returned, very rarely, for an upload whose content was deleted with the
// last profile that had it, at the same moment. Uploading it again helps.
var ErrGarbage = errors.New("the same file was being deleted; upload it again")

// inOrder has everybody lock in one order, so that nobody waits in a circle.
func inOrder(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }

// removeOrphans removes those of the objects that no profile uses any more. What
// it cannot remove stays known as garbage.
func (s *Catalog) removeOrphans(ctx context.Context, sums []string) error {
	s.objects.Lock()
	defer s.objects.Unlock()
	if len(sums) == 0 {
		return nil
	}
	return s.update(ctx, recoverable, func(tx *sql.Tx, _ int64) error {
		for _, sum := range inOrder(sums) {
			if err := s.db.Lock(ctx, tx, "object "+sum); err != nil {
				return err
			}
			var used bool
			if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM file WHERE sha256 = ?)`, sum).Scan(&used); err != nil {
				return fmt.Errorf("catalog: %w", err)
			}
			if !used {
				if err := remove(s.objectPath(sum)); err != nil {
					return err
				}
			}
			if _, err := tx.ExecContext(ctx, `DELETE FROM garbage WHERE sha256 = ?`, sum); err != nil {
				return fmt.Errorf("catalog: %w", err)
			}
		}
		return nil
	})
}

// forgetGarbage ends the record of all originals that were to be removed.
func (s *Catalog) forgetGarbage(ctx context.Context) error {
	var some bool // nothing is written where there is nothing to forget
	if err := s.db.Write.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM garbage)`).Scan(&some); err != nil || !some {
		return err
	}
	return s.update(ctx, recoverable, func(tx *sql.Tx, _ int64) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM garbage`); err != nil {
			return fmt.Errorf("catalog: %w", err)
		}
		return nil
	})
}
