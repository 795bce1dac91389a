package catalog

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"proflens/catalog/engine"
)

// Usage is what a data folder holds, as numbers for its operator.
type Usage struct {
	Profiles map[State]int
	Queued   int           // jobs that wait
	Running  int           // jobs that are done now
	Oldest   time.Duration // since the first of those that wait was put there
}

// Usage counts what the catalog lists.
func (s *Catalog) Usage(ctx context.Context) (Usage, error) {
	u := Usage{Profiles: map[State]int{}}
	var state State
	var n int
	err := engine.Each(ctx, s.db.Read, []any{&state, &n}, func() { u.Profiles[state] = n },
		`SELECT state, sum(profiles) FROM profile_count GROUP BY state`)
	if err != nil {
		return u, err
	}
	var first int64
	err = s.db.Read.QueryRowContext(ctx, `SELECT count(*) FILTER (WHERE state = 'queued'), count(*) FILTER (WHERE state = 'running'),
		coalesce(min(created_us) FILTER (WHERE state = 'queued'), 0) FROM job`).Scan(&u.Queued, &u.Running, &first)
	if err != nil {
		return u, wrapped(err)
	}
	if first > 0 {
		u.Oldest = max(0, s.now().Sub(time.UnixMicro(first)))
	}
	return u, nil
}

// parts are the folders of a data folder, as DiskUse names them.
var parts = []string{"objects", "profiles", "staging", quarantineDir}

// DiskUse is the bytes of the files in each folder of the data folder; "catalog" is
// the catalog's own. It looks at every file.
func (s *Catalog) DiskUse(ctx context.Context) (map[string]int64, error) {
	use := map[string]int64{}
	for _, part := range parts {
		n, err := bytesBelow(filepath.Join(s.dir, part))
		if err != nil {
			return nil, err
		}
		use[part] = n
	}
	use[cacheDir] = s.StoreStats().Cache.Used // their holes take no room
	n, err := s.db.Size(ctx)
	use["catalog"] = n
	return use, err
}

// bytesBelow adds up the files below a folder, which need not be there; files that go
// meanwhile do not count.
func bytesBelow(dir string) (n int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			var info fs.FileInfo
			if info, err = d.Info(); err == nil {
				n += info.Size()
			}
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
	return n, err
}
