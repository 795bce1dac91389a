package catalog

import (
	"context"
	"errors"

	"proflens/catalog/engine"
)

// ErrRebuilding is returned instead of tables that proved damaged or missing.
// They are derived: the profile's files are being decoded again.
var ErrRebuilding = errors.New("the profile's tables are being rebuilt")

// ErrNewer is returned instead of tables that a newer Proflens has made, while a server
// of several processes is being upgraded.
var ErrNewer = errors.New("the profile was decoded by a newer version of this server; ask again once all of it is " +
	"upgraded")

// Rebuild puts a ready profile back into the queue, because its tables proved
// damaged or are gone. A profile that is not ready is left alone.
func (s *Catalog) Rebuild(ctx context.Context, id string) error {
	err := s.change(ctx, recoverable, id, func(tx *engine.Tx) {
		n := tx.Exec(`UPDATE profile SET state = 'received', updated_us = ? WHERE id = ? AND state = 'ready'`, tx.Now, id)
		// A job may wait already, for files that were added.
		if n > 0 && !engine.Get[bool](tx, `SELECT EXISTS (SELECT 1 FROM job WHERE profile_id = ?)`, id) {
			s.insertJob(tx, id)
		}
	})
	if err == nil {
		s.worked()
	}
	return err
}
