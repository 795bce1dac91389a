package catalog

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"proflens/catalog/engine"
	"proflens/profile/stored"
)

// sweep removes what an earlier process left half done: everything in staging/,
// and the files that are known to be garbage. What else the catalog does not
// name is put aside.
func (s *Catalog) sweep(ctx context.Context) error {
	if err := os.RemoveAll(s.StagingDir()); err != nil {
		return err
	}
	if err := os.Mkdir(s.StagingDir(), 0o700); err != nil {
		return err
	}
	return s.storage.sweep(ctx)
}

// missingTables takes the ready profiles back whose tables are not there, after
// a loss of power or because somebody removed them: they are derived, and
// Recover has them made again.
func (s *Catalog) missingTables(ctx context.Context, names map[string]bool) error {
	if len(names) == 0 {
		return nil
	}
	return s.update(ctx, recoverable, func(tx *engine.Tx) {
		for name := range names {
			_, err := os.Stat(filepath.Join(s.dir, "profiles", name[:2], name))
			if err == nil {
				continue
			} else if !errors.Is(err, fs.ErrNotExist) {
				tx.Fail(err)
			}
			id, _, _ := strings.Cut(name, "-")
			tx.Exec(`UPDATE profile SET state = 'received', updated_us = ? WHERE id = ? AND state = 'ready'`, tx.Now, id)
		}
	})
}

func (s *Catalog) known(ctx context.Context, query string, args ...any) (map[string]bool, error) {
	names, name := map[string]bool{}, ""
	return names, engine.Each(ctx, s.db.Read, []any{&name}, func() { names[name] = true }, query, args...)
}

// The profiles that are to be decoded, for the first time or again: each from its index, so that
// a start does not look at those that are as they should be.
const (
	received = `SELECT id, created_us, schema_version FROM profile WHERE state = 'received'`
	outdated = `SELECT id, created_us, schema_version FROM profile
		WHERE state IN ('ready', 'failed') AND decoder_version < ?`
)

// Recover puts the queue in order before work begins, given the version of the
// decoders that will do it: jobs that were cut off wait again, and profiles
// join the queue whose tables have an older schema or came from older decoders,
// or that older decoders failed on. It returns how many wait.
func (s *Catalog) Recover(ctx context.Context, decoder int) (waiting int, err error) {
	s.decoder.Store(int64(decoder))
	err = s.update(ctx, recoverable, func(tx *engine.Tx) {
		tx.Lock("queue")
		s.takeOver(tx)
		// Tables of an older schema cannot be read, so nothing is ready. Those of a
		// newer one are left to whoever made them.
		tx.Exec(`UPDATE profile SET state = 'received' WHERE state = 'ready' AND schema_version < ?`, stored.SchemaVersion)
		tx.Exec(`DELETE FROM tally WHERE updated_us < ?`, tx.Now-tallyFor.Microseconds()) // of processes that ended
		tx.Exec(`INSERT INTO job (profile_id, state, priority, created_us, schema_version, decoder_version)
			SELECT id, 'queued', ?, ?, ?, ? FROM (`+received+` UNION ALL `+outdated+`) AS waiting
			WHERE schema_version <= ? AND NOT EXISTS (SELECT 1 FROM job WHERE profile_id = waiting.id)
			ORDER BY created_us ON CONFLICT DO NOTHING`,
			jobAgain, tx.Now, stored.SchemaVersion, decoder, decoder, stored.SchemaVersion)
		waiting = engine.Get[int](tx, `SELECT count(*) FROM job`)
	})
	return waiting, err
}
