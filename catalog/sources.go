package catalog

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"proflens/analyze/sources"
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
	err := s.storingOf(ctx, id, files, func(tx *sql.Tx, now int64) error {
		_, err := entry(ctx, tx, id, time.UnixMicro(now))
		if err == nil {
			dropped, err = deleteFiles(ctx, tx, id, `sources = 1`)
		}
		if err != nil {
			return err
		}
		// what markers leave out, too
		if err := projects.Forget(ctx, tx, time.UnixMicro(now), "id", id); err != nil {
			return err
		}
		if err := s.insertFiles(ctx, tx, id, files, false); err != nil {
			return err
		}
		if len(files) == 0 {
			return nil
		}
		return execute(ctx, tx,
			`UPDATE file SET sources = 1 WHERE profile_id = ?1 AND position = (SELECT max(position) FROM file WHERE profile_id = ?1)`,
			id)
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
