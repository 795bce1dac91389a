package catalog

import (
	"context"
	"time"

	"proflens/catalog/engine"
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
	err := s.storing(ctx, "", files, func(tx *engine.Tx) {
		now := tx.Now
		for i := range profiles {
			id, token := newSecret(), newSecret()
			// A microsecond apart, so that "newest first" keeps their order.
			tx.Now = now + int64(i)
			s.insertProfile(tx, id, &profiles[i], token)
			created[i] = Created{held(tx, id), token}
		}
	})
	return created, err
}

func (s *Catalog) insertProfile(tx *engine.Tx, id string, p *NewProfile, token string) {
	var expires int64
	if p.Lifetime > 0 {
		expires = tx.Now + p.Lifetime.Microseconds()
	}
	digest, size := digestOf(fileEntries(p.Files))
	tx.Exec(`INSERT INTO profile (id, name, project, state, visibility, created_us, updated_us, expires_us,
		delete_sha256, digest, size, kinds, describe, format, version, merged) VALUES (?, ?, ?, 'received', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		id, p.Name, p.Project, p.Visibility, tx.Now, tx.Now, expires,
		hashToken(token), digest, size, joinFamilies(p.Families), p.Describe, p.Format, int64(p.Version), writeJSON(p.Merged))
	insertLabels(tx, id, p.Labels)
	insertFiles(tx, id, p.Files, false)
	tx.List(id)
	s.insertJob(tx, id)
}

func insertLabels(tx *engine.Tx, id string, labels map[string]string) {
	for k, v := range labels {
		tx.Exec(`INSERT INTO label (profile_id, key, value, listed_us, of_project)
			SELECT id, ?, ?, CASE visibility WHEN 'listed' THEN created_us ELSE 0 END, project FROM profile WHERE id = ?`,
			k, v, id)
	}
}

func insertFiles(tx *engine.Tx, id string, files []NewFile, pending bool) {
	for _, f := range files {
		tx.Exec(`INSERT INTO file (profile_id, position, name, sha256, size, pending, finding, salvage)
			SELECT ?, coalesce(max(position) + 1, 0), ?, ?, ?, ?, ?, ? FROM file WHERE profile_id = ?`,
			id, f.Name, f.Staged.SHA256, f.Staged.Size, pending, writeJSON(f.Finding), f.Salvage, id)
		tx.Exec(`DELETE FROM garbage WHERE sha256 = ?`, f.Staged.SHA256) // it may have been that a moment ago
		if f.Salvage {
			salvageAll(tx, id) // those that were there before too
		}
	}
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
	var e Entry
	err := s.storing(ctx, id, files, func(tx *engine.Tx) {
		e = held(tx, id)
		ready := e.State == Ready
		// A new job takes the place of one that runs without these files: its
		// result finds its row gone and is thrown away.
		tx.Exec(`DELETE FROM job WHERE profile_id = ?`, id)
		insertFiles(tx, id, files, ready)
		if !ready {
			digest, size := digestOf(append(e.Files, fileEntries(files)...))
			tx.Exec(`UPDATE profile SET state = 'received', finding = '', digest = ?, size = ?, updated_us = ?
				WHERE id = ?`, digest, size, tx.Now, id)
		}
		s.insertJob(tx, id)
		e = held(tx, id)
	})
	if err != nil {
		return nil, err
	}
	s.stopped(id)
	return &e, nil
}
