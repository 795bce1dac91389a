package catalog

import (
	"context"
	"database/sql"
	"time"

	"proflens/decode/model"
)

// NewFile is a sealed file that is to become an original of a profile.
type NewFile struct {
	Name    string
	Staged  *Staged
	Finding *model.Finding // why it is an archive that was kept packed
	Salvage bool           // its readable beginning is wanted, should it end too soon
}

// NewProfile is a profile to be created.
type NewProfile struct {
	Name, Project string
	Labels        map[string]string
	Visibility    Visibility
	Lifetime      time.Duration // 0 keeps it
	Files         []NewFile
	Merged        *Merged // nil for an upload

	// As recognised from the first bytes.
	Families []model.Family
	Describe string
	Format   model.Format
	Version  uint64
}

// Created is a profile that was taken in, and the token that deletes it, which
// cannot be had again.
type Created struct {
	Entry       Entry
	DeleteToken string
}

// Create takes in profiles, all or none, each with a job to decode it. What it
// returns is on the disk.
func (s *Catalog) Create(ctx context.Context, profiles []NewProfile) ([]Created, error) {
	ctx = context.WithoutCancel(ctx) // once files move, finish
	var files []NewFile
	for _, p := range profiles {
		files = append(files, p.Files...)
	}
	created := make([]Created, len(profiles))
	err := s.storing(ctx, files, func(tx *sql.Tx, now int64) error {
		for i := range profiles {
			id, token := newSecret(), newSecret()
			// A microsecond apart, so that "newest first" keeps their order.
			if err := s.insertProfile(ctx, tx, id, &profiles[i], token, now+int64(i)); err != nil {
				return err
			}
			e, err := entry(ctx, tx, id, time.UnixMicro(now))
			if err != nil {
				return err
			}
			created[i] = Created{*e, token}
		}
		return nil
	})
	return created, err
}

func (s *Catalog) insertProfile(ctx context.Context, tx *sql.Tx, id string, p *NewProfile, token string,
	now int64) error {
	var expires int64
	if p.Lifetime > 0 {
		expires = now + p.Lifetime.Microseconds()
	}
	digest, size := digestOf(fileEntries(p.Files))
	err := execute(ctx, tx, `INSERT INTO profile (id, name, project, state, visibility, created_us, updated_us, expires_us,
		delete_sha256, digest, size, kinds, describe, format, version, merged) VALUES (?, ?, ?, 'received', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		id, p.Name, p.Project, p.Visibility, now, now, expires,
		hashToken(token), digest, size, joinFamilies(p.Families), p.Describe, p.Format, int64(p.Version), writeJSON(p.Merged))
	if err != nil {
		return err
	}
	if err := insertLabels(ctx, tx, id, p.Labels); err != nil {
		return err
	}
	if err := s.insertFiles(ctx, tx, id, p.Files, false); err != nil {
		return err
	}
	if err := s.db.List(ctx, tx, id); err != nil {
		return err
	}
	return s.insertJob(ctx, tx, id, jobUpload, now)
}

func insertLabels(ctx context.Context, tx *sql.Tx, id string, labels map[string]string) error {
	for k, v := range labels {
		err := execute(ctx, tx, `INSERT INTO label (profile_id, key, value, listed_us, of_project)
			SELECT id, ?, ?, CASE visibility WHEN 'listed' THEN created_us ELSE 0 END, project FROM profile WHERE id = ?`,
			k, v, id)
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Catalog) insertFiles(ctx context.Context, tx *sql.Tx, id string, files []NewFile, pending bool) error {
	for _, f := range files {
		err := execute(ctx, tx, `INSERT INTO file (profile_id, position, name, sha256, size, pending, finding, salvage)
			SELECT ?, coalesce(max(position) + 1, 0), ?, ?, ?, ?, ?, ? FROM file WHERE profile_id = ?`,
			id, f.Name, f.Staged.SHA256, f.Staged.Size, pending, writeJSON(f.Finding), f.Salvage, id)
		if err == nil { // it may have been garbage a moment ago
			err = execute(ctx, tx, `DELETE FROM garbage WHERE sha256 = ?`, f.Staged.SHA256)
		}
		if err == nil && f.Salvage {
			err = salvageAll(ctx, tx, id) // those that were there before too
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func fileEntries(files []NewFile) []FileEntry {
	entries := make([]FileEntry, len(files))
	for i, f := range files {
		entries[i] = FileEntry{
			Name: f.Name, SHA256: f.Staged.SHA256, Size: f.Staged.Size, Finding: f.Finding, Salvage: f.Salvage,
		}
	}
	return entries
}

// AddFiles adds files to a profile and has it decoded again. A ready profile
// keeps its present files and answers until the new tables are there; should
// decoding fail, the added files are dropped again. It returns ErrNotFound and
// *GoneError as Entry does.
func (s *Catalog) AddFiles(ctx context.Context, id string, files []NewFile) (*Entry, error) {
	ctx = context.WithoutCancel(ctx)
	var e *Entry
	err := s.storingOf(ctx, id, files, func(tx *sql.Tx, now int64) (err error) {
		if e, err = entry(ctx, tx, id, time.UnixMicro(now)); err != nil {
			return err
		}
		ready := e.State == Ready
		// A new job takes the place of one that runs without these files: its
		// result finds its row gone and is thrown away.
		if err := execute(ctx, tx, `DELETE FROM job WHERE profile_id = ?`, id); err != nil {
			return err
		}
		if err := s.insertFiles(ctx, tx, id, files, ready); err != nil {
			return err
		}
		if !ready {
			digest, size := digestOf(append(e.Files, fileEntries(files)...))
			if err := execute(ctx, tx, `UPDATE profile SET state = 'received', finding = '', digest = ?, size = ?, updated_us = ?
				WHERE id = ?`, digest, size, now, id); err != nil {
				return err
			}
		}
		if err := s.insertJob(ctx, tx, id, jobUpload, now); err != nil {
			return err
		}
		e, err = entry(ctx, tx, id, time.UnixMicro(now))
		return err
	})
	if err != nil {
		return nil, err
	}
	s.stopped(id)
	return e, nil
}
