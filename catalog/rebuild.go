package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// ErrRebuilding is returned instead of tables that proved damaged or missing.
// They are derived: the profile's files are being decoded again.
var ErrRebuilding = errors.New("the profile's tables are being rebuilt")

// Rebuild puts a ready profile back into the queue, because its tables proved
// damaged or are gone. A profile that is not ready is left alone.
func (s *Catalog) Rebuild(ctx context.Context, id string) error {
	err := s.change(ctx, recoverable, id, func(tx *sql.Tx, now int64) error {
		res, err := tx.ExecContext(ctx, `UPDATE profile SET state = 'received', updated_us = ? WHERE id = ? AND state = 'ready'`, now, id)
		if err != nil {
			return fmt.Errorf("catalog: %w", err)
		}
		if n, err := res.RowsAffected(); n == 0 {
			return err
		}
		// A job may wait already, for files that were added.
		_, err = tx.ExecContext(ctx, `INSERT INTO job (profile_id, state, priority, created_us)
			SELECT ?, 'queued', ?, ? WHERE NOT EXISTS (SELECT 1 FROM job WHERE profile_id = ?)`, id, jobUpload, now, id)
		if err != nil {
			return fmt.Errorf("catalog: %w", err)
		}
		return nil
	})
	if err == nil {
		if f := s.onWork.Load(); f != nil {
			(*f)()
		}
	}
	return err
}

// OnWork sets what is called when the catalog itself has put work into the queue.
func (s *Catalog) OnWork(f func()) { s.onWork.Store(&f) }
