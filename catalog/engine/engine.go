// Package engine is the database that a catalog lies in: SQLite in a file, for one
// process, or PostgreSQL, for several. Both understand one set of statements, with
// ? for parameters; what they do not share has a method here. No other package asks
// which of the two it has.
package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sethvargo/go-retry"
)

// Mode says what a database is opened for.
type Mode int

// The modes.
const (
	Serve  Mode = iota // to read and to write; made where there is none
	Change             // the same, but it must be there
	Look               // to read, while others may write
)

// Durability says what a commit waits for. A later durable commit makes all before
// it durable too.
type Durability string

const (
	// Durable commits are on the disk when they return: what a user was promised.
	Durable Durability = "durable"
	// Recoverable commits survive the end of the process, but not always that of
	// the machine; what they record comes about again by itself.
	Recoverable Durability = "recoverable"
)

// DB is an open database. It is safe for concurrent use.
type DB struct {
	Write *sql.DB // for what must see the latest commit
	Read  *sql.DB // for all else

	source string
	away   atomic.Int64 // how often its server was not reached
	// demotions is how often its server was seen to take no changes any more.
	demotions atomic.Int64
	ahead     atomic.Int64 // how far its clock is ahead of this machine's, in nanoseconds
	tidied    atomic.Int64 // when it was tidied last, in microseconds since 1970
	unindexed string       // why words are not found through an index
	dialect   dialect
}

// dialect is what one kind of database does in its own way.
type dialect interface {
	// prepare makes a connection ready for a transaction.
	prepare(ctx context.Context, conn *sql.Conn, d Durability) error
	// begun is the first that a transaction does. It returns the database's time, zero
	// for that of this machine.
	begun(ctx context.Context, tx *sql.Tx, d Durability) (time.Time, error)
	// again reports whether a transaction that failed may be tried once more, given
	// whether it failed in its commit.
	again(err error, committing bool) bool
	named(err error) error
	lock(ctx context.Context, tx *sql.Tx, name string) error
	skipLocked() string
	shared() bool
	schema(ctx context.Context) (int64, error)
	migrate(ctx context.Context) error
	faults(ctx context.Context, q Querier) ([]string, error)
	size(ctx context.Context) (int64, error)
	copyTo(ctx context.Context, path string) error
	// load replaces rows, with all that f does or nothing of it.
	load(ctx context.Context, f func(l loader) error) error
	lastNumber(ctx context.Context, tx *sql.Tx) (int64, error)
	users(ctx context.Context) (users []string, release func(), err error)
	notify(ctx context.Context, tx *sql.Tx, message string) error
	listen(ctx context.Context, heard func(message string)) error
	search(ctx context.Context, q Querier, words string) (Search, error)
	// gather has the first listings added, of so many profiles.
	gather(ctx context.Context, tx *sql.Tx, of int, add func() error) error
	// indexWords makes what search needs, unless the database has it.
	indexWords(ctx context.Context) error
	tidy(ctx context.Context) error
}

// IsURL reports whether a source is a server's URL rather than a file.
func IsURL(source string) bool {
	return strings.HasPrefix(source, "postgres://") || strings.HasPrefix(source, "postgresql://")
}

// Open opens the database that a source names: a postgres:// URL, or an SQLite file.
// Nothing in it is changed. Of a server at most so many connections are used.
func Open(ctx context.Context, source string, mode Mode, connections int) (*DB, error) {
	db := &DB{source: source}
	if IsURL(source) {
		return db, openPostgres(ctx, db, mode, connections)
	}
	return db, openSQLite(db, mode)
}

// Close closes every connection.
func (d *DB) Close() error {
	errs := []error{d.Read.Close()}
	if d.Write != d.Read {
		errs = append(errs, d.Write.Close())
	}
	return errors.Join(errs...)
}

// Away is how often the database's server could not be reached, or went while it was
// asked.
func (d *DB) Away() int64 { return d.away.Load() }

// Snapshot begins to read the database as it is at one moment.
func (d *DB) Snapshot(ctx context.Context) (*sql.Tx, error) {
	tx, err := d.Read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	return tx, Wrapped(err)
}

// Now is the time, as the database has it: that of all who share it.
func (d *DB) Now() time.Time { return time.Now().Add(time.Duration(d.ahead.Load())) }

// Update runs f in a transaction that writes. It runs it again when the database says
// that others were in the way, or was lost before the commit: f changes nothing but
// the transaction, and what it sets anew each time.
func (d *DB) Update(ctx context.Context, durability Durability, f func(tx *Tx)) error {
	pauses := retry.NewExponential(10 * time.Millisecond)
	pauses = retry.WithJitterPercent(50, retry.WithMaxDuration(retryFor, retry.WithCappedDuration(longestPause, pauses)))
	err := retry.Do(ctx, pauses, func(ctx context.Context) error {
		committing, err := d.try(ctx, durability, f)
		if err != nil && d.dialect.again(err, committing) {
			return retry.RetryableError(err)
		}
		return err
	})
	return d.dialect.named(err)
}

// How long a transaction is tried, and the longest pause between two tries.
const (
	retryFor     = 8 * time.Second
	longestPause = time.Second
)

func (d *DB) try(ctx context.Context, durability Durability, f func(tx *Tx)) (committing bool, err error) {
	conn, err := d.Write.Conn(ctx)
	if err != nil {
		return false, Wrapped(err)
	}
	defer conn.Close()
	if err := d.dialect.prepare(ctx, conn, durability); err != nil {
		return false, Wrapped(err)
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return false, Wrapped(err)
	}
	defer tx.Rollback()
	now, err := d.dialect.begun(ctx, tx, durability)
	if err != nil {
		return false, Wrapped(err)
	}
	if !now.IsZero() {
		d.ahead.Store(int64(time.Until(now)))
	}
	t := &Tx{Tx: tx, Context: ctx, Now: d.Now().UnixMicro(), db: d}
	if f(t); t.err != nil {
		return false, t.err
	}
	return true, Wrapped(tx.Commit())
}

// SkipLocked ends a SELECT that takes rows which no other transaction is taking.
func (d *DB) SkipLocked() string { return d.dialect.skipLocked() }

// Shared reports whether other processes may work with the database meanwhile.
func (d *DB) Shared() bool { return d.dialect.shared() }

// Schema is the number of the last migration that was applied; 0 for a database that
// is absent or has no tables. It changes nothing.
func (d *DB) Schema(ctx context.Context) (int64, error) { return d.dialect.schema(ctx) }

// Migrate brings the tables up to the newest migration, keeping a copy of what was
// there before where it is a file. Of several processes one does it at a time.
func (d *DB) Migrate(ctx context.Context) error {
	err := d.dialect.migrate(ctx)
	if err == nil {
		err = d.listAll(ctx)
	}
	if err == nil {
		err = d.dialect.indexWords(ctx)
	}
	if err != nil {
		return fmt.Errorf("migrating the catalog: %w", d.dialect.named(err))
	}
	return nil
}

// Faults is what the database finds wrong with itself.
func (d *DB) Faults(ctx context.Context) ([]string, error) { return d.dialect.faults(ctx, d.Read) }

// Size is how many bytes the database takes on its disk.
func (d *DB) Size(ctx context.Context) (int64, error) { return d.dialect.size(ctx) }

// CopyTo copies all rows, as they are at one moment, to a new SQLite file.
func (d *DB) CopyTo(ctx context.Context, path string) error { return d.dialect.copyTo(ctx, path) }

// Users names the others who are connected to the database, and keeps servers from
// starting until it is released. Of a file it knows none: the data folder has a lock.
func (d *DB) Users(ctx context.Context) (users []string, release func(), err error) {
	users, release, err = d.dialect.users(ctx)
	return users, release, d.dialect.named(err)
}

// Listen calls heard for what every process says with Notify, this one too, until ctx
// ends. An empty message says that some may have been missed. Where the database is
// not shared it returns at once.
func (d *DB) Listen(ctx context.Context, heard func(message string)) error {
	return d.dialect.listen(ctx, heard)
}
