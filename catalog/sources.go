package catalog

import (
	"context"
	"database/sql"
	"errors"

	"proflens/analyze/sources"
	"proflens/catalog/engine"
	"proflens/catalog/projects"
)

// Sources is the archive with the text of a profile's sources; nil where there is none.
// It returns ErrNotFound and *GoneError as Entry does.
func (s *Catalog) Sources(ctx context.Context, id string) (*FileEntry, error) {
	if _, err := s.Entry(ctx, id); err != nil {
		return nil, err
	}
	var f FileEntry
	err := s.db.Read.QueryRowContext(ctx, `SELECT name, sha256, size FROM file WHERE profile_id = ? AND sources = 1`,
		id).Scan(&f.Name, &f.SHA256, &f.Size)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, wrapped(err)
	}
	return &f, nil
}

// SetSources puts an archive in the place of the one that a profile has; nil removes
// that. It returns ErrNotFound and *GoneError as Entry does.
func (s *Catalog) SetSources(ctx context.Context, id string, archive *Staged) error {
	ctx = context.WithoutCancel(ctx)
	dropped, err := s.setSources(ctx, id, archive)
	if err != nil {
		return err
	}
	return s.storage.clear(ctx, dropped)
}

func (s *Catalog) setSources(ctx context.Context, id string, archive *Staged) ([]string, error) {
	var files []NewFile
	if archive != nil {
		files = []NewFile{{Name: "sources.zip", Staged: archive}}
	}
	var dropped []string
	err := s.storing(ctx, id, files, func(tx *engine.Tx) {
		held(tx, id)
		dropped = deleteFiles(tx, id, `sources = 1`)
		projects.Forget(tx, "id", id) // what markers leave out, too
		insertFiles(tx, id, files, false)
		if len(files) > 0 {
			tx.Exec(`UPDATE file SET sources = 1
				WHERE profile_id = ?1 AND position = (SELECT max(position) FROM file WHERE profile_id = ?1)`, id)
		}
	})
	return dropped, err
}

// OpenSources opens the archive with the text of a profile's sources; nil where there
// is none. Its files can be read until it is closed. Errors are those of Sources and of
// OpenObject.
func (s *Catalog) OpenSources(ctx context.Context, id string) (a *sources.Archive, closed func() error, err error) {
	f, err := s.Sources(ctx, id)
	if f == nil || err != nil {
		return nil, nil, err
	}
	file, err := s.OpenObject(ctx, f.SHA256)
	if err != nil {
		return nil, nil, err
	}
	if a, err = sources.Open(file, f.Size); err != nil {
		file.Close()
		return nil, nil, err
	}
	return a, file.Close, nil
}
