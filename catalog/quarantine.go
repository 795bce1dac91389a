package catalog

import (
	"context"
	"database/sql"
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

// changedShards are the folders of two letters in a folder of files that are not as they were
// left, sorted, those that are gone among them.
func (s *Catalog) changedShards(of string, swept map[string]int64) []string {
	found := s.shards(of)
	var changed []string
	for name, at := range found {
		if swept[of+"/"+name] != at {
			changed = append(changed, name)
		}
	}
	for folder := range swept {
		if in, name, _ := strings.Cut(folder, "/"); in == of && found[name] == 0 {
			changed = append(changed, name)
		}
	}
	slices.Sort(changed)
	return changed
}

// sweepObjects removes the originals that are known to be garbage and puts
// those aside that the catalog does not know.
func (s *Catalog) sweepObjects(ctx context.Context, swept map[string]int64) error {
	garbage, err := s.known(ctx, `SELECT sha256 FROM garbage`)
	if err != nil {
		return err
	}
	if len(garbage) > 0 {
		swept = nil
	}
	for _, shard := range s.changedShards("objects", swept) {
		used, err := s.known(ctx, `SELECT DISTINCT sha256 FROM file WHERE sha256 >= ? AND sha256 < ?`, shard, shard+"~")
		if err != nil {
			return err
		}
		err = eachFile(filepath.Join(s.dir, "objects", shard), func(path, name string) error {
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
	}
	return s.forgetGarbage(ctx)
}

// sweepTables removes the files of profiles' tables that newer ones have replaced, or
// whose profile was deleted, and puts those aside whose profile the catalog does
// not know: they say which files were one profile. Profiles whose tables are not there are
// taken back.
func (s *Catalog) sweepTables(ctx context.Context, swept map[string]int64) error {
	shards := s.changedShards("profiles", swept)
	if len(swept) == 0 { // of what is not there nobody knows
		of, err := s.shardsOfProfiles(ctx)
		if err != nil {
			return err
		}
		shards = slices.Compact(slices.Sorted(slices.Values(append(shards, of...))))
	}
	for _, shard := range shards {
		current, err := s.known(ctx, `SELECT tables FROM profile WHERE id >= ? AND id < ? AND tables <> ''`, shard, shard+"~")
		if err != nil {
			return err
		}
		dir := filepath.Join(s.dir, "profiles", shard)
		err = eachFile(dir, func(path, name string) error {
			if current[name] {
				return nil
			}
			if strings.HasSuffix(name, ".db") {
				id, _, _ := strings.Cut(name, "-")
				known, err := s.known(ctx, `SELECT id FROM profile WHERE id = ?`, id)
				if err != nil {
					return err
				}
				if len(known) == 0 {
					return s.quarantine(path)
				}
			}
			return remove(path)
		})
		if err == nil {
			err = s.missingTables(ctx, current)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// shardsOfProfiles are the folders in which the tables of all profiles are, or should be.
func (s *Catalog) shardsOfProfiles(ctx context.Context) (all []string, err error) {
	for after := ""; ; {
		var next sql.NullString
		err := s.db.Read.QueryRowContext(ctx, `SELECT min(id) FROM profile WHERE id >= ?`, after).Scan(&next)
		if err != nil || !next.Valid {
			return all, err
		}
		shard := next.String[:min(2, len(next.String))]
		all, after = append(all, shard), shard+"~"
	}
}

// eachFile calls f for every file of a folder ab/ that has its two letters first in its
// name: others are not ours.
func eachFile(dir string, f func(path, name string) error) error {
	files, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range files {
		if !strings.HasPrefix(e.Name(), filepath.Base(dir)) || !e.Type().IsRegular() {
			continue
		}
		if err := f(filepath.Join(dir, e.Name()), e.Name()); err != nil {
			return err
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
