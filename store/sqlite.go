package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"proflens/migrations"
	"proflens/store/btree"
)

// rowTables are the tables of vectors as rows, of every family; see
// migrations/rows. Each adds its rows in the order in which they shall stand,
// with the columns of one in the record.
var rowTables = []struct {
	name string
	rows func(p *Profile, r *btree.Record, add func() error) error
}{
	{"counter", (*Profile).counterRows},
	{"value", (*Profile).valueRowsOfSites},
	{"trace_function", (*Profile).traceRows},
	{"mip_block", (*Profile).mipBlockRows},
	{"mip_run_function", (*Profile).mipRunRows},
	{"mib_frame", (*Profile).mibFrameRows},
	{"mib_histogram", (*Profile).mibHistogramRows},
	{"heap_callee", (*Profile).heapCalleeRows},
	{"sample", (*Profile).sampleRows},
}

// WriteSQLite writes the profile as a database for people to path, which must
// not exist: the profile's own file and beside its tables their vectors as
// rows, indexes and views (docs/pages/sqlite.md). The error is the context's, of the
// disk, or about the file; then what is at path is of no use.
func (p *Profile) WriteSQLite(ctx context.Context, path string) error {
	if err := copyFile(path, p.path); err != nil {
		return err
	}
	if err := execute(ctx, path, migrations.Rows); err != nil {
		return err
	}
	w, err := btree.Append(path)
	if err != nil {
		return err
	}
	for _, t := range rowTables {
		if err := p.fillRows(ctx, w, t.name, t.rows); err != nil {
			w.Discard()
			return fmt.Errorf("writing rows of %s: %w", t.name, err)
		}
	}
	if err := w.Close(false); err != nil {
		return err
	}
	return execute(ctx, path, migrations.RowIndexes)
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// execute runs statements on a database that nobody else has open, and that is
// of no use if that fails.
func execute(ctx context.Context, path, statements string) error {
	db, err := sql.Open("sqlite", dsn(path, "rw", "immediate", "journal_mode(OFF)", "synchronous(OFF)"))
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, statements)
	return errors.Join(err, db.Close())
}

func (p *Profile) fillRows(ctx context.Context, w *btree.Writer, name string, rows func(p *Profile, r *btree.Record, add func() error) error) error {
	t, err := w.Table(name)
	if err != nil {
		return err
	}
	var r btree.Record
	err = rows(p, &r, func() error {
		if t.Rows()%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		err := t.Insert(t.Rows()+1, &r)
		r.Reset()
		return err
	})
	if err != nil {
		return err
	}
	return t.Close()
}

// eachRow calls visit for each row of a table.
func eachRow(table *btree.Table, visit func(row *btree.Row) error) error {
	c := table.Cursor()
	for ok := c.Find(math.MinInt64); ok; ok = c.Next() {
		row, err := c.Row()
		if err != nil {
			return err
		}
		if err := visit(row); err != nil {
			return err
		}
	}
	return c.Err()
}

func (p *Profile) counterRows(r *btree.Record, add func() error) error {
	var counters []uint64
	return eachRow(p.function, func(row *btree.Row) (err error) {
		if counters, err = readCounters(row, counters); err != nil {
			return err
		}
		for i, c := range counters {
			r.Int(row.ID)
			r.Int(int64(i))
			r.Uint(c)
			if err := add(); err != nil {
				return err
			}
		}
		return nil
	})
}

func (p *Profile) valueRowsOfSites(r *btree.Record, add func() error) error {
	return eachRow(p.valueSite, func(row *btree.Row) error {
		site, err := readSite(row)
		if err != nil {
			return err
		}
		for i, v := range site {
			r.Int(row.ID)
			r.Int(int64(i))
			r.Uint(v.Value)
			r.Uint(v.Count)
			if err := add(); err != nil {
				return err
			}
		}
		return nil
	})
}

func (p *Profile) traceRows(r *btree.Record, add func() error) error {
	table, err := p.r.Table("trace")
	if err != nil {
		return err
	}
	return eachRow(table, func(row *btree.Row) error {
		refs, err := readTrace(row)
		if err != nil {
			return err
		}
		for i, ref := range refs {
			r.Int(row.ID)
			r.Int(int64(i))
			r.Uint(ref)
			if err := add(); err != nil {
				return err
			}
		}
		return nil
	})
}
