package profile

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"proflens/migrations"
	"proflens/profile/btree"
	"proflens/profile/stored"
)

// WriteSQLite writes a profile as a database for people to path, which must
// not exist: the profile's own file and beside its tables their vectors as
// rows, indexes and views (docs/pages/sqlite.md). The error is the context's, of the
// disk, or about the file; then what is at path is of no use.
func WriteSQLite(ctx context.Context, p *stored.Profile, path string) error {
	families := kept(p.Has)
	tables, indexes := migrations.Rows(namesOf(families))
	if err := writeFile(path, p.Content()); err != nil {
		return err
	}
	if err := execute(ctx, path, tables); err != nil {
		return err
	}
	w, err := btree.Append(path)
	if err != nil {
		return err
	}
	for _, f := range families {
		for _, t := range f.Rows {
			if err := fill(ctx, w, t, p); err != nil {
				w.Discard()
				return fmt.Errorf("writing rows of %s: %w", t.Name, err)
			}
		}
	}
	if err := w.Close(false); err != nil {
		return err
	}
	return execute(ctx, path, indexes)
}

func writeFile(to string, content io.Reader) error {
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, content)
	return errors.Join(err, out.Close())
}

// execute runs statements on a database that nobody else has open, and that is
// of no use if that fails.
func execute(ctx context.Context, path, statements string) error {
	name := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path),
		RawQuery: url.Values{"mode": {"rw"}, "_pragma": {"journal_mode(OFF)", "synchronous(OFF)"}}.Encode()}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, statements)
	if full, ok := errors.AsType[*sqlite.Error](err); ok && full.Code()&0xff == sqlite3.SQLITE_FULL {
		err = errors.Join(err, syscall.ENOSPC)
	}
	return errors.Join(err, db.Close())
}

func fill(ctx context.Context, w *btree.Writer, table stored.RowTable, p *stored.Profile) error {
	t, err := w.Table(table.Name)
	if err != nil {
		return err
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	var r stored.Record
	err = table.Fill(ctx, p, &r, func() {
		if ctx.Err() == nil {
			if err := t.Insert(t.Rows()+1, &r.Record); err != nil {
				end(err)
			}
		}
		r.Reset()
	})
	if err = cmp.Or(context.Cause(ctx), err); err != nil {
		return err
	}
	return t.Close()
}
