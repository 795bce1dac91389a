package catalog

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"time"

	"proflens/catalog/engine"
)

// Delete removes a profile for good: its row becomes a tombstone, its tables
// go once nobody reads them any more, its originals unless another profile has
// them too. It returns ErrNotFound and *GoneError as Entry does.
func (s *Catalog) Delete(ctx context.Context, id string) error {
	var left remains
	err := s.withReserve(func() error {
		return s.change(ctx, durable, id, func(tx *engine.Tx) {
			held(tx, id)
			left = bury(tx, id, Deleted, tx.Now)
		})
	})
	if err != nil {
		return err
	}
	err = s.clear(context.WithoutCancel(ctx), left)
	s.keepReserve()
	return err
}

// Expire removes the profiles whose time is over, each in a transaction of its
// own, and returns how many. The time of the next expiry is zero when none is
// due ever.
func (s *Catalog) Expire(ctx context.Context) (removed int, next time.Time, err error) {
	for {
		id, due, err := nextExpiry(ctx, s.db.Write)
		if err != nil || id == "" {
			return removed, time.Time{}, err
		}
		if next := time.UnixMicro(due); next.After(s.now()) {
			return removed, next, nil
		}
		var left remains
		err = s.change(ctx, durable, id, func(tx *engine.Tx) {
			left = remains{}
			again, at, err := nextExpiry(ctx, tx)
			if !tx.Fail(err) && again == id && at == due { // else another process was here
				left = bury(tx, id, Expired, due)
			}
		})
		if err != nil {
			return removed, time.Time{}, err
		}
		if left.id == "" {
			continue
		}
		if err := s.clear(ctx, left); err != nil {
			return removed, time.Time{}, err
		}
		removed++
	}
}

// nextExpiry finds the profile that expires first; none gives an empty id.
func nextExpiry(ctx context.Context, q engine.Querier) (id string, due int64, err error) {
	err = q.QueryRowContext(ctx, `SELECT id, expires_us FROM profile WHERE expires_us > 0 ORDER BY expires_us, id LIMIT 1`).Scan(&id, &due)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", 0, wrapped(err)
	}
	return id, due, nil
}

// remains are the files that a buried profile leaves behind.
type remains struct {
	id      string
	tables  string   // their name; empty: it had none
	job     *Job     // the one that waited or ran
	objects []string // of its files
}

// bury turns a profile's row into a tombstone: all that says what it was goes.
func bury(tx *engine.Tx, id string, state State, at int64) remains {
	left := remains{id: id}
	job := Job{Entry: Entry{ID: id}}
	tx.Fail(wrapped(tx.QueryRowContext(tx.Context, `SELECT tables,
			coalesce((SELECT id FROM job WHERE profile_id = profile.id), 0),
			coalesce((SELECT taken FROM job WHERE profile_id = profile.id), 0) FROM profile WHERE id = ?`, id).
		Scan(&left.tables, &job.ID, &job.Taken)))
	if job.ID > 0 {
		left.job = &job
	}
	left.objects = deleteFiles(tx, id, `true`)
	for _, statement := range []string{
		`DELETE FROM label WHERE profile_id = ?`,
		`DELETE FROM build WHERE profile_id = ?`,
		`DELETE FROM measured WHERE profile_id = ?`,
		`DELETE FROM measured WHERE base_id = ? AND base_id <> ''`,
		`DELETE FROM job WHERE profile_id = ?`,
	} {
		tx.Exec(statement, id)
	}
	tx.Exec(`UPDATE profile SET state = ?, updated_us = ?, delete_sha256 = ?,
		name = '', project = '', expires_us = 0, digest = '', size = 0,
		kinds = '', describe = '', format = '', version = 0, functions = 0, total = '',
		head_part = 0, head_whole = 0, spark = NULL, finding = '', merged = '', tables = '', tables_crc = NULL
		WHERE id = ?`, state, at, []byte{}, id)
	return left
}

// deleteFiles removes a profile's file rows under a condition and returns the
// objects they named; those that no other profile has are garbage from then on.
func deleteFiles(tx *engine.Tx, id, condition string) []string {
	sums, err := engine.Column[string](tx.Context, tx,
		`DELETE FROM file WHERE profile_id = ? AND `+condition+` RETURNING sha256`, id)
	tx.Fail(err)
	for _, sum := range sums {
		tx.Exec(`INSERT INTO garbage (sha256) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM file WHERE sha256 = ?1)
			ON CONFLICT DO NOTHING`, sum)
	}
	return sums
}

// clear removes what a buried profile left behind. What it cannot remove is
// swept at the next start.
func (s *Catalog) clear(ctx context.Context, left remains) error {
	s.stopped(left.id)
	if left.tables != "" {
		s.storage.retire(ctx, left.tables)
	}
	if left.job != nil {
		built, preview := s.BuildPath(left.job)
		os.Remove(built)
		s.handles.retireFile(preview)
	}
	return s.storage.clear(ctx, left.objects)
}
