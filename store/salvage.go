package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

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
func (s *Store) Salvage(ctx context.Context, id string) (*Entry, error) {
	var e *Entry
	err := s.update(ctx, durable, func(tx *sql.Tx, now int64) (err error) {
		if e, err = entry(ctx, tx, id, time.UnixMicro(now)); err != nil {
			return err
		}
		if e.State != Failed || e.Pending {
			return ErrNotFailed
		}
		if _, err := tx.ExecContext(ctx, `UPDATE profile SET state = 'received', finding = '', updated_us = ? WHERE id = ?`, now, id); err != nil {
			return fmt.Errorf("catalog: %w", err)
		}
		if err := salvageAll(ctx, tx, id); err != nil {
			return err
		}
		if err := insertJob(ctx, tx, id, jobUpload, now); err != nil {
			return fmt.Errorf("catalog: %w", err)
		}
		e, err = entry(ctx, tx, id, time.UnixMicro(now))
		return err
	})
	if err != nil {
		return nil, err
	}
	if f := s.onWork.Load(); f != nil {
		(*f)()
	}
	return e, nil
}

// salvageAll notes for all files of a profile that they are to be salvaged.
func salvageAll(ctx context.Context, tx *sql.Tx, id string) error {
	if _, err := tx.ExecContext(ctx, `UPDATE file SET salvage = 1 WHERE profile_id = ?`, id); err != nil {
		return fmt.Errorf("catalog: %w", err)
	}
	return nil
}

// recordPartial notes what of each file was read, in the files' order.
func recordPartial(ctx context.Context, tx *sql.Tx, id string, files []*model.Partial) error {
	if _, err := tx.ExecContext(ctx, `UPDATE file SET partial = '' WHERE profile_id = ? AND partial <> ''`, id); err != nil {
		return fmt.Errorf("catalog: %w", err)
	}
	for i, p := range files {
		if p == nil {
			continue
		}
		_, err := tx.ExecContext(ctx, `UPDATE file SET partial = ? WHERE profile_id = ? AND position =
			(SELECT position FROM file WHERE profile_id = ? ORDER BY position LIMIT 1 OFFSET ?)`, writePartial(p), id, id, i)
		if err != nil {
			return fmt.Errorf("catalog: %w", err)
		}
	}
	return nil
}

// partialOf is what was read of each input.
func partialOf(inputs []InputInfo) []*model.Partial {
	partial := make([]*model.Partial, len(inputs))
	for i := range inputs {
		partial[i] = inputs[i].Partial
	}
	return partial
}

// writePartial and readPartial turn what was read of a file into text and back.
func writePartial(p *model.Partial) string {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // strings and numbers only
	}
	return string(text)
}

func readPartial(text string) (*model.Partial, error) {
	if text == "" {
		return nil, nil
	}
	p := new(model.Partial)
	if err := json.Unmarshal([]byte(text), p); err != nil {
		return nil, fmt.Errorf("what of a file was read: %w", err)
	}
	return p, nil
}
