package catalog

import (
	"context"
	"errors"

	"proflens/catalog/engine"
	"proflens/decode/model"
)

// ErrNotFailed is returned for a profile that has nothing to salvage: it is
// decoded, or on its way.
var ErrNotFailed = errors.New("only a profile that could not be decoded can be salvaged")

// Partial says which of the profile's files, or of those it was merged from,
// were read in part only, and how far; nil when it is whole.
func (e *Entry) Partial() []model.Partial {
	var list []model.Partial
	for _, f := range e.Files {
		if f.Partial != nil {
			list = append(list, *f.Partial)
		}
	}
	if e.Merged != nil {
		for _, in := range e.Merged.Inputs {
			list = append(list, in.Partial...)
		}
	}
	return list
}

// Salvage has a failed profile decoded again, this time with the readable
// beginnings of files that end too soon, and so whenever it is decoded again.
// It returns ErrNotFailed, and what Entry returns.
func (s *Catalog) Salvage(ctx context.Context, id string) (*Entry, error) {
	var e Entry
	err := s.change(ctx, durable, id, func(tx *engine.Tx) {
		if e = held(tx, id); e.State != Failed || e.Pending {
			tx.Fail(ErrNotFailed)
		}
		tx.Exec(`UPDATE profile SET state = 'received', finding = '', updated_us = ? WHERE id = ?`, tx.Now, id)
		salvageAll(tx, id)
		s.insertJob(tx, id)
		e = held(tx, id)
	})
	if err != nil {
		return nil, err
	}
	s.worked()
	return &e, nil
}

// salvageAll notes for all files of a profile that they are to be salvaged.
func salvageAll(tx *engine.Tx, id string) {
	tx.Exec(`UPDATE file SET salvage = 1 WHERE profile_id = ?`, id)
}

// recordPartial notes what of each file was read, in the files' order.
func recordPartial(tx *engine.Tx, id string, files []*model.Partial) {
	tx.Exec(`UPDATE file SET partial = '' WHERE profile_id = ? AND partial <> ''`, id)
	for i, p := range files {
		if p != nil {
			tx.Exec(`UPDATE file SET partial = ? WHERE profile_id = ? AND position =
				(SELECT position FROM file WHERE profile_id = ? AND sources = 0 ORDER BY position LIMIT 1 OFFSET ?)`,
				writeJSON(p), id, id, i)
		}
	}
}
