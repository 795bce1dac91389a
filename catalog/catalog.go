// Package catalog is a server's list of profiles and its data folder: a small
// database, the originals by their SHA-256, and where each profile's own file is,
// which packages profiledb and stored write and read.
//
//	catalog.db            profiles, their files, labels, jobs, hashed tokens; WAL
//	objects/ab/abcd…      originals
//	profiles/ab/<id>-<n>.db   the tables of a ready profile, n counting up each time it is decoded
//	staging/              uploads and profile files in the making; emptied at start
//	aside/                files that the catalog did not know at start; see Repair
//	reserve               room for deleting profiles on a full disk
//	lock                  held by the one process that serves the folder
//
// A file appears by rename, complete and synced, before the catalog
// transaction that names it; files that the catalog does not name are swept or
// put aside at start. So a process killed at any moment loses nothing it has
// promised, and a catalog that was lost or set back costs no upload.
package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // the driver named "sqlite"

	"proflens/migrations"
	"proflens/profiledb/stored"
)

// openHandles is how many profile files stay open between requests: about a
// quarter of a megabyte each.
const openHandles = 256

// Catalog is the catalog and the files of one data folder. It is safe for
// concurrent use. Exported methods open the transaction; unexported functions
// that take one can be combined.
type Catalog struct {
	dir   string
	lock  *os.File
	write *sql.DB // one connection: SQLite has one writer
	read  *sql.DB // read-only pool

	// objects is held shared while originals are published together with the
	// rows that name them, and alone while unreferenced ones are removed.
	objects sync.RWMutex
	shards  sync.Map // folders below objects/ whose own names are known to be on the disk
	handles *handles

	verified verified
	space    space
	now      func() time.Time
	onStop   atomic.Pointer[func(id string)]
	onWork   atomic.Pointer[func()]
}

// Open opens the data folder, creating and migrating what is needed, and
// sweeps what an earlier process left half done. Only one process can have a
// folder open. It returns *NoCatalogError and *NewerError for a folder that it
// leaves as it is.
func Open(ctx context.Context, dir string) (*Catalog, error) { return open(ctx, dir, false) }

// open is Open; anew makes a new catalog beside files that are there.
func open(ctx context.Context, dir string, anew bool) (*Catalog, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	for _, sub := range []string{"objects", "profiles", "staging"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return nil, fmt.Errorf("data folder: %w", err)
		}
	}
	s := &Catalog{dir: dir, now: time.Now}
	s.space.dir = dir
	s.handles = newHandles(openHandles, stored.Open)
	if s.lock, err = lockFile(filepath.Join(dir, "lock")); err != nil {
		return nil, fmt.Errorf("data folder %s: %w", dir, err)
	}
	schema, err := preflight(ctx, dir, anew)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := s.withReserve(func() error { return s.openCatalog(ctx, schema) }); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := s.withReserve(func() error { return s.sweep(ctx) }); err != nil {
		return nil, errors.Join(fmt.Errorf("sweeping %s: %w", dir, err), s.Close())
	}
	s.keepReserve()
	return s, nil
}

// openCatalog opens both handles on catalog.db and brings it to the newest
// version, from a schema of which a copy is kept.
func (s *Catalog) openCatalog(ctx context.Context, schema int64) error {
	path := filepath.Join(s.dir, "catalog.db")
	var err error
	s.write, err = sql.Open("sqlite", dsn(path, "rwc", "immediate", "busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)"))
	if err != nil {
		return err
	}
	s.write.SetMaxOpenConns(1)
	provider, err := goose.NewProvider(goose.DialectSQLite3, s.write, migrations.Catalog)
	if err != nil {
		return fmt.Errorf("catalog migrations: %w", err)
	}
	if schema > 0 && schema < newestSchema() {
		if err := copyBeforeUpgrade(ctx, s.write, path, schema); err != nil {
			return err
		}
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrating %s: %w", path, err)
	}
	s.read, err = sql.Open("sqlite", dsn(path, "ro", "deferred", "busy_timeout(5000)", "query_only(ON)"))
	if err != nil {
		return err
	}
	s.read.SetMaxOpenConns(max(4, runtime.GOMAXPROCS(0)))
	s.read.SetMaxIdleConns(4)
	return keepPrivate(s.dir)
}

// dsn names a database file with its pragmas. They stand in the name because
// they belong to a connection, and database/sql opens more than one.
func dsn(path, mode, txlock string, pragmas ...string) string {
	q := url.Values{"mode": {mode}, "_txlock": {txlock}, "_pragma": pragmas}
	u := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: q.Encode()}
	return u.String()
}

// Close closes every handle and lets another process have the folder.
func (s *Catalog) Close() error {
	var errs []error
	errs = append(errs, s.handles.close())
	for _, db := range []*sql.DB{s.read, s.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	if s.lock != nil {
		errs = append(errs, s.lock.Close())
	}
	return errors.Join(errs...)
}

// OnStop sets what is called with a profile's id when work on it has become
// useless: it was deleted, has expired, or got more files.
func (s *Catalog) OnStop(f func(id string)) { s.onStop.Store(&f) }

func (s *Catalog) stopped(id string) {
	if f := s.onStop.Load(); f != nil {
		(*f)(id)
	}
}

// durability says what a commit waits for. In a WAL, a later durable commit
// makes all before it durable too.
type durability string

const (
	// durable commits are on the disk when they return: what a user was promised.
	durable durability = "FULL"
	// recoverable commits survive the end of the process, but not always that of
	// the machine; what they record comes about again by itself at the next start.
	recoverable durability = "NORMAL"
)

// update runs f in one write transaction with one fixed now, in microseconds.
func (s *Catalog) update(ctx context.Context, d durability, f func(tx *sql.Tx, now int64) error) error {
	return systemError(s.transaction(ctx, d, f))
}

func (s *Catalog) transaction(ctx context.Context, d durability, f func(tx *sql.Tx, now int64) error) error {
	conn, err := s.write.Conn(ctx)
	if err != nil {
		return fmt.Errorf("catalog: %w", err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, `PRAGMA synchronous = `+string(d)); err != nil {
		return fmt.Errorf("catalog: %w", err)
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("catalog: %w", err)
	}
	defer tx.Rollback()
	if err := f(tx, s.now().UnixMicro()); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("catalog: %w", err)
	}
	return nil
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}
