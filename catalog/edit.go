package catalog

import (
	"context"
	"maps"

	"proflens/catalog/engine"
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
	return s.change(ctx, durable, id, func(tx *engine.Tx) {
		was := held(tx, id)
		tx.Exec(`UPDATE profile SET name = ?, project = ?, updated_us = ? WHERE id = ?`, to.Name, to.Project, tx.Now, id)
		tx.Exec(`DELETE FROM label WHERE profile_id = ?`, id)
		insertLabels(tx, id, to.Labels)
		if to.Project != was.Project || !maps.Equal(to.Labels, was.Labels) {
			projects.Forget(tx, "id", id) // other rules count it
		}
	})
}
