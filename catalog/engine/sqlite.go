package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// sqliteFile is a database in a file, with a write-ahead log beside it. One process
// serves it; others may read it, or write in turn.
type sqliteFile struct {
	path string
	db   *DB
}

func openSQLite(db *DB, mode Mode) (err error) {
	path := db.source
	db.dialect = &sqliteFile{path, db}
	switch mode {
	case Look:
		db.Read, err = sql.Open("sqlite", dsn(path, "rw", "deferred", "busy_timeout(5000)", "query_only(ON)"))
		db.Write = db.Read
		return err
	case Change:
		db.Write, err = sql.Open("sqlite",
			dsn(path, "rw", "immediate", "busy_timeout(5000)", "synchronous(FULL)", "foreign_keys(ON)"))
		if err == nil {
			db.Write.SetMaxOpenConns(1)
		}
		db.Read = db.Write
		return err
	}
	db.Write, err = sql.Open("sqlite",
		dsn(path, "rwc", "immediate", "busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)"))
	if err != nil {
		return err
	}
	db.Write.SetMaxOpenConns(1) // SQLite has one writer
	db.Read, err = sql.Open("sqlite", dsn(path, "ro", "deferred", "busy_timeout(5000)", "query_only(ON)"))
	if err != nil {
		return errors.Join(err, db.Write.Close())
	}
	db.Read.SetMaxOpenConns(max(4, runtime.GOMAXPROCS(0)))
	db.Read.SetMaxIdleConns(4)
	return nil
}

// dsn names a database file with its pragmas. They stand in the name because
// they belong to a connection, and database/sql opens more than one.
func dsn(path, mode, txlock string, pragmas ...string) string {
	q := url.Values{"mode": {mode}, "_txlock": {txlock}, "_pragma": pragmas}
	u := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: q.Encode()}
	return u.String()
}

func (s *sqliteFile) prepare(ctx context.Context, conn *sql.Conn, d Durability) error {
	synchronous := "FULL"
	if d == Recoverable {
		synchronous = "NORMAL" // of a write-ahead log: not at every commit
	}
	_, err := conn.ExecContext(ctx, `PRAGMA synchronous = `+synchronous)
	return err
}

func (s *sqliteFile) begun(context.Context, *sql.Tx, Durability) (time.Time, error) {
	return time.Time{}, nil
}

// A transaction has the file for itself, having waited for it.
func (s *sqliteFile) again(error, bool) bool                             { return false }
func (s *sqliteFile) lock(context.Context, *sql.Tx, string) error        { return nil }
func (s *sqliteFile) skipLocked() string                                 { return "" }
func (s *sqliteFile) shared() bool                                       { return false }
func (s *sqliteFile) notify(context.Context, *sql.Tx, string) error      { return nil }
func (s *sqliteFile) listen(context.Context, func(message string)) error { return nil }

// named gives an error of SQLite the system's error that it stands for.
func (s *sqliteFile) named(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return errors.Join(err, syscall.ENOSPC)
	case sqlite3.SQLITE_IOERR:
		return errors.Join(err, syscall.EIO)
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return errors.Join(err, ErrLocked)
	case sqlite3.SQLITE_READONLY:
		return errors.Join(err, syscall.EROFS)
	}
	return err
}

// schema opens the file by itself: to look at one that is not there must not make it.
func (s *sqliteFile) schema(ctx context.Context) (version int64, err error) {
	_, noLog := os.Stat(s.path + "-wal")
	if info, err := os.Stat(s.path); errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 && noLog != nil {
		return 0, nil
	} else if err != nil {
		return 0, err
	}
	db, err := sql.Open("sqlite", dsn(s.path, "rw", "deferred", "busy_timeout(5000)", "query_only(ON)"))
	if err != nil {
		return 0, err
	}
	defer db.Close()
	name := filepath.Base(s.path)
	var tables int
	if err := db.QueryRowContext(ctx,
		`SELECT count(*) FROM sqlite_schema WHERE name IN ('goose_db_version', 'profile')`).Scan(&tables); err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	if tables < 2 {
		return 0, nil // its first migration was cut off
	}
	if err := db.QueryRowContext(ctx,
		`SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&version); err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return version, nil
}

func (s *sqliteFile) migrate(ctx context.Context) error {
	schema, err := s.schema(ctx)
	if err != nil {
		return err
	}
	if schema > 0 && schema < Newest() {
		if err := s.copyBeforeUpgrade(ctx, schema); err != nil {
			return err
		}
	}
	if schema < Newest() {
		if _, err := s.db.Write.ExecContext(ctx, muchCached); err != nil {
			return err
		}
	}
	if err := upgrade(ctx, s.db.Write, "sqlite", strings.NewReplacer()); err != nil {
		return err
	}
	return s.keepPrivate()
}

// How much of a database a connection keeps in memory: much where all of it changes, which
// otherwise would be written and read again and again; else what SQLite usually keeps. What is
// sorted takes as much again: eight times that was no quicker with a million profiles.
const (
	muchCached    = `PRAGMA cache_size = -65536`
	usuallyCached = `PRAGMA cache_size = -2000`
)

// copyBeforeUpgrade keeps a copy beside the file, as it was before its schema is
// changed. A copy of an earlier try makes way.
func (s *sqliteFile) copyBeforeUpgrade(ctx context.Context, schema int64) error {
	copied := fmt.Sprintf("%s.schema-%d", s.path, schema)
	if err := os.Remove(copied); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := s.db.Write.ExecContext(ctx, `VACUUM INTO ?`, copied); err != nil {
		return fmt.Errorf("copying it before its upgrade: %w", err)
	}
	return nil
}

// files are the database and what stands beside it.
func (s *sqliteFile) files() ([]string, error) {
	escaped := strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(s.path)
	return filepath.Glob(escaped + "*")
}

// keepPrivate takes the rights of others off the files, which an older Proflens or a
// copy may have left there.
func (s *sqliteFile) keepPrivate() error {
	names, err := s.files()
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := os.Chmod(name, 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (s *sqliteFile) size(context.Context) (n int64, err error) {
	names, err := s.files()
	for _, name := range names {
		switch info, e := os.Stat(name); {
		case e == nil:
			n += info.Size()
		case !errors.Is(e, fs.ErrNotExist):
			err = errors.Join(err, e)
		}
	}
	return n, err
}

func (s *sqliteFile) faults(ctx context.Context, q Querier) (found []string, err error) {
	rows, err := q.QueryContext(ctx, `PRAGMA integrity_check(20)`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var says string
		if err := rows.Scan(&says); err != nil {
			return found, err
		}
		if says != "ok" {
			found = append(found, says)
		}
	}
	return found, rows.Err()
}

// copyTo works for one that is only read, too. Writing the copy counts as writing, so
// its connection is let do that for so long.
func (s *sqliteFile) copyTo(ctx context.Context, path string) error {
	conn, err := s.db.Read.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, `PRAGMA query_only = OFF`); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, `VACUUM INTO ?`, path)
	_, on := conn.ExecContext(context.WithoutCancel(ctx), `PRAGMA query_only = ON`)
	return errors.Join(err, on)
}
