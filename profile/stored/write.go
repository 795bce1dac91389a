package stored

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"unicode/utf8"

	"proflens/analyze"
	"proflens/decode/model"
	"proflens/internal/fsync"
	"proflens/profile/btree"
)

// Writer fills the tables of a file in the making, until its context ends. Several
// goroutines may each fill a table.
type Writer struct {
	ctx context.Context
	w   *btree.Writer
	// Written is told now and then how many bytes the file has; it may be nil.
	Written func(bytes uint64)
	telling sync.Mutex
}

// tell calls Written, for one goroutine at a time.
func (w *Writer) tell() {
	if w.Written == nil {
		return
	}
	w.telling.Lock()
	defer w.telling.Unlock()
	w.Written(w.w.Size())
}

// WriteFile writes a file at path, whole or not at all: a copy of image, which is
// an empty database, with the tables that fill writes. One that is not durable
// need not outlive the machine.
func WriteFile(ctx context.Context, path string, image []byte, durable bool, fill func(w *Writer) error) (err error) {
	temp := path + ".part"
	if err := os.WriteFile(temp, image, 0o600); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(temp)
		}
	}()
	w, err := btree.Append(temp)
	if err != nil {
		return err
	}
	if err := fill(&Writer{ctx: ctx, w: w}); err != nil {
		w.Discard()
		return fmt.Errorf("writing the profile's tables: %w", err)
	}
	if err := w.Close(durable); err != nil {
		return fmt.Errorf("writing the profile's tables: %w", err)
	}
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	if !durable {
		return nil
	}
	return fsync.SyncDir(filepath.Dir(path))
}

// Table fills one table: rows calls add for each row, with the record in hand
// holding its columns after the first. The row id is the first column, stored
// as NULL, in all tables but those without an INTEGER PRIMARY KEY. After the first
// error, which Table returns, add does nothing.
func (w *Writer) Table(name string, rows func(r *Record, add func(id int64))) error {
	t, err := w.w.Table(name)
	if err != nil {
		return err
	}
	if err := w.fill(name, t, rows); err != nil {
		return err
	}
	return t.Close()
}

// List is Table with ids that count from 1.
func (w *Writer) List(name string, rows func(r *Record, add func())) error {
	return w.Table(name, func(r *Record, add func(id int64)) {
		id := int64(0)
		rows(r, func() {
			id++
			add(id)
		})
	})
}

// fill fills a table, or a part of one.
func (w *Writer) fill(name string, t *btree.TableWriter, rows func(r *Record, add func(id int64))) (err error) {
	var r Record
	r.Null()
	rows(&r, func(id int64) {
		if err == nil && t.Rows()%CheckEvery == 0 {
			err = w.ctx.Err()
			w.tell()
		}
		if err == nil && r.Size() > MaxRow {
			err = TooLarge(name, 0, MaxRow)
		}
		if err == nil {
			err = t.Insert(id, &r.Record)
		}
		r.Reset()
		r.Null()
	})
	return err
}

// MaxRow is how many bytes a row can have: pages read rows whole, many at once. The
// longest of real programs is a trace of all their functions.
const MaxRow = 16 << 20

// TooLarge is the error for a record, of a kind and at an offset, that takes more bytes
// than a row may have.
func TooLarge(kind string, offset uint64, most int) error {
	return &model.FormatError{Kind: model.KindTooLarge, Section: kind, Offset: offset,
		Msg: "a record is larger than any of a real program", Expected: fmt.Sprintf("at most %d bytes as stored", most)}
}

// Rows fills one table with a row for each of n things, whose ids count from 1.
func (w *Writer) Rows(name string, n int, row func(r *Record, i int)) error {
	return w.Table(name, func(r *Record, add func(int64)) {
		for i := range n {
			row(r, i)
			add(int64(i) + 1)
		}
	})
}

// permutationRow is how many ids of a permutation stand in one row.
const permutationRow = 16384

// Permutation fills a table with a permutation: ids in pieces, each by the place
// where it begins.
func (w *Writer) Permutation(name string, ids []uint32) error {
	return w.Table(name, func(r *Record, add func(int64)) {
		b := make([]byte, 0, 4*permutationRow)
		at := int64(0)
		for part := range slices.Chunk(ids, permutationRow) {
			b = b[:0]
			for _, id := range part {
				b = binary.LittleEndian.AppendUint32(b, id)
			}
			r.Blob(b)
			add(at)
			at += int64(len(part))
		}
	})
}

// Meta fills the meta table.
func (w *Writer) Meta(facts func(m *MetaWriter)) error {
	t, err := w.w.Table("meta")
	if err != nil {
		return err
	}
	m := &MetaWriter{t: t}
	if facts(m); m.err != nil {
		return m.err
	}
	return t.Close()
}

// Record is a row in the making, with columns as tables have them.
type Record struct{ btree.Record }

// Name adds a name: TEXT when it is valid UTF-8, else BLOB, NULL when empty. A
// NUL byte makes it a BLOB too, since SQLite's text functions stop there.
func (r *Record) Name(b []byte) {
	switch {
	case len(b) == 0:
		r.Null()
	case bytes.IndexByte(b, 0) < 0 && utf8.Valid(b):
		r.Text(b)
	default:
		r.Blob(b)
	}
}

// Texts adds words, a column each.
func (r *Record) Texts(values ...string) {
	for _, s := range values {
		r.Text([]byte(s))
	}
}

// Uints adds numbers, a column each.
func (r *Record) Uints(values ...uint64) {
	for _, v := range values {
		r.Uint(v)
	}
}

// Ints adds numbers, a column each.
func (r *Record) Ints(values ...int) {
	for _, v := range values {
		r.Int(int64(v))
	}
}

// Flag adds 1 or 0.
func (r *Record) Flag(set bool) {
	if set {
		r.Int(1)
	} else {
		r.Int(0)
	}
}

// Sum adds a sum in two columns, its low word first.
func (r *Record) Sum(s analyze.Sum) { r.Uints(s.Lo, s.Hi) }

// Known adds a number, NULL where there is none.
func (r *Record) Known(v *uint64) {
	if v == nil {
		r.Null()
	} else {
		r.Uint(*v)
	}
}

// BlobOrNull adds bytes, NULL where there are none.
func (r *Record) BlobOrNull(b []byte) {
	if len(b) > 0 {
		r.Blob(b)
	} else {
		r.Null()
	}
}

// VectorSize is how many bytes the next n LEB128 numbers take.
func VectorSize(b []byte, n uint64) int {
	size := 0
	for ; n > 0; n-- {
		for b[size] >= 0x80 {
			size++
		}
		size++
	}
	return size
}
