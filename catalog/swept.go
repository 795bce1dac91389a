package catalog

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"proflens/catalog/engine"
)

// settled is how long ago a folder must have changed to be known by that time: a change in the
// same moment would not be seen. Until then it is kept as unsettled, which no folder has: the
// next start looks into it, and misses it where it is gone.
const (
	settled   = time.Second
	unsettled = 1
)

// leftWithin is how long a process that ends may take to say how it leaves the folders. If it
// does not, the next start looks into all.
const leftWithin = 2 * time.Second

// sweptFolders are the folders with files, by the time of their last change, as they were left
// in order; none where a process may have left something. From then on this process may.
func (s *Catalog) sweptFolders(ctx context.Context) (swept map[string]int64, err error) {
	err = s.update(ctx, recoverable, func(tx *engine.Tx) {
		swept = map[string]int64{}
		var folder string
		var changed int64
		killed := false
		tx.Fail(engine.Each(ctx, tx, []any{&folder, &changed}, func() {
			swept[folder] = changed
			killed = killed || changed == 0
		}, `DELETE FROM swept RETURNING folder, changed_ns`))
		if killed {
			clear(swept)
		}
	})
	return swept, err
}

// process is the row of this process.
func (s *Catalog) process() string { return "process " + s.instance }

// enterFolders says that this process may leave something half done.
func (s *Catalog) enterFolders(ctx context.Context) error {
	return s.update(ctx, recoverable, func(tx *engine.Tx) {
		tx.Exec(`INSERT INTO swept (folder, changed_ns) VALUES (?, 0)`, s.process())
	})
}

// leaveFolders says that this process has left nothing half done and, if it was the last one,
// how it leaves the folders. If one is gone that it has seen, the next start looks into all.
func (s *Catalog) leaveFolders(seen map[string]int64) {
	ctx, cancel := context.WithTimeout(context.Background(), leftWithin)
	defer cancel()
	last := !s.lock.shares || lockFile(s.lock.file, true) == nil
	folders := s.foldersNow()
	for folder := range seen {
		last = last && folders[folder] != 0
	}
	for folder, changed := range folders {
		if time.Since(time.Unix(0, changed)) < settled {
			folders[folder] = unsettled
		}
	}
	// What is not said is looked at by the next start.
	_ = s.update(ctx, recoverable, func(tx *engine.Tx) {
		mine := tx.Exec(`DELETE FROM swept WHERE folder = ?`, s.process())
		if others := engine.Get[int](tx, `SELECT count(*) FROM swept`); mine == 0 || others > 0 || !last {
			return
		}
		for folder, changed := range folders {
			tx.Exec(`INSERT INTO swept (folder, changed_ns) VALUES (?, ?)`, folder, changed)
		}
	})
}

// foldersNow are the folders with files, by the time of their last change.
func (s *Catalog) foldersNow() map[string]int64 {
	folders := map[string]int64{}
	for _, of := range []string{"objects", "profiles"} {
		for name, changed := range s.shards(of) {
			folders[of+"/"+name] = changed
		}
	}
	return folders
}

// shards are the folders of two letters in a folder of files, with the time of their last
// change in nanoseconds.
func (s *Catalog) shards(of string) map[string]int64 {
	found := map[string]int64{}
	entries, _ := os.ReadDir(filepath.Join(s.dir, of)) // none of one that cannot be read
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.IsDir() && len(e.Name()) == 2 {
			found[e.Name()] = info.ModTime().UnixNano()
		}
	}
	return found
}
