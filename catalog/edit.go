package catalog

import (
	"context"
	"database/sql"
	"maps"
	"time"

	"proflens/catalog/projects"
)

// Projects asks about the profiles of projects.
func (s *Catalog) Projects() *projects.Store { return projects.New(s.db) }

// Naming is what people call a profile and where it belongs.
type Naming struct {
	Name, Project string
	Labels        map[string]string
}

// Rename puts what is given in the place of a profile's name, project and labels. It
// returns ErrNotFound and *GoneError as Entry does.
func (s *Catalog) Rename(ctx context.Context, id string, to Naming) error {
	return s.change(ctx, durable, id, func(tx *sql.Tx, now int64) error {
		was, err := entry(ctx, tx, id, time.UnixMicro(now))
		if err != nil {
			return err
		}
		err = execute(ctx, tx, `UPDATE profile SET name = ?, project = ?, updated_us = ? WHERE id = ?`, to.Name,
			to.Project, now, id)
		if err == nil {
			err = execute(ctx, tx, `DELETE FROM label WHERE profile_id = ?`, id)
		}
		if err == nil {
			err = insertLabels(ctx, tx, id, to.Labels)
		}
		if err == nil && (to.Project != was.Project || !maps.Equal(to.Labels, was.Labels)) {
			err = projects.Forget(ctx, tx, time.UnixMicro(now), "id", id) // other rules count it
		}
		return err
	})
}
