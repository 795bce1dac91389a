package catalog

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// quarantineDir is where files go that the catalog does not name and that nobody
// deleted. Nothing removes them but a person; Repair takes them in again.
const quarantineDir = "aside"

// Quarantined lists what was put aside: originals by their SHA-256, and tables of
// profiles by their file's name.
func (s *Catalog) Quarantined() (originals, tables []string, err error) {
	return listQuarantined(s.dir)
}

func listQuarantined(dir string) (originals, tables []string, err error) {
	files, err := os.ReadDir(filepath.Join(dir, quarantineDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name(), ".db") {
			tables = append(tables, f.Name())
		} else {
			originals = append(originals, f.Name())
		}
	}
	return originals, tables, nil
}

// quarantine moves a file out of the catalog's way. A file of that name that is
// there already has the same content, and makes way.
func (s *Catalog) quarantine(path string) error {
	if err := os.MkdirAll(filepath.Join(s.dir, quarantineDir), 0o700); err != nil {
		return err
	}
	err := os.Rename(path, filepath.Join(s.dir, quarantineDir, filepath.Base(path)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// sweepObjects removes the originals that are known to be garbage and puts
// those aside that the catalog does not know.
func (s *Catalog) sweepObjects(ctx context.Context) error {
	used, err := s.known(ctx, `SELECT DISTINCT sha256 FROM file`)
	if err != nil {
		return err
	}
	garbage, err := s.known(ctx, `SELECT sha256 FROM garbage`)
	if err != nil {
		return err
	}
	err = eachFile(filepath.Join(s.dir, "objects"), func(path, name string) error {
		switch {
		case used[name]:
			return nil
		case garbage[name]:
			return remove(path)
		}
		return s.quarantine(path)
	})
	if err != nil {
		return err
	}
	return s.forgetGarbage(ctx)
}

// sweepTables removes the files of profiles' tables that newer ones have replaced, or
// whose profile was deleted, and puts those aside whose profile the catalog does
// not know: they say which files were one profile.
func (s *Catalog) sweepTables(ctx context.Context, current map[string]bool) error {
	ids, err := s.known(ctx, `SELECT id FROM profile`)
	if err != nil {
		return err
	}
	return eachFile(filepath.Join(s.dir, "profiles"), func(path, name string) error {
		id, _, _ := strings.Cut(name, "-")
		switch {
		case current[name]:
			return nil
		case ids[id] || !strings.HasSuffix(name, ".db"):
			return remove(path)
		}
		return s.quarantine(path)
	})
}

// eachFile calls f for every file of dir/ab/ that stands under the first two
// letters of its name: others are not ours.
func eachFile(dir string, f func(path, name string) error) error {
	shards, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, shard := range shards {
		if !shard.IsDir() || len(shard.Name()) != 2 {
			continue
		}
		files, err := os.ReadDir(filepath.Join(dir, shard.Name()))
		if err != nil {
			return err
		}
		files = slices.DeleteFunc(files, func(e os.DirEntry) bool {
			return !strings.HasPrefix(e.Name(), shard.Name()) || !e.Type().IsRegular()
		})
		for _, e := range files {
			if err := f(filepath.Join(dir, shard.Name(), e.Name()), e.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}

// remove removes a file that may be gone.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
