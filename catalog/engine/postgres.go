package engine

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// postgresServer is a database of a PostgreSQL server, which several processes share.
type postgresServer struct {
	config *pgx.ConnConfig
	db     *DB
}

// connectWithin bounds how long one connection may take to make.
const connectWithin = 5 * time.Second

func openPostgres(ctx context.Context, db *DB, mode Mode, connections int) error {
	config, err := pgx.ParseConfig(db.source)
	if err != nil {
		return fmt.Errorf("the catalog's URL: %w", err) // without the password
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = connectWithin
	}
	if mode != Serve {
		config.RuntimeParams["application_name"] = commanding
	} else if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "proflens"
	}
	if mode == Look {
		config.RuntimeParams["default_transaction_read_only"] = "on"
	}
	db.dialect = &postgresServer{config, db}
	db.Write = sql.OpenDB(rebound{stdlib.GetConnector(*config), db})
	db.Read = db.Write
	db.Write.SetMaxOpenConns(connections)
	db.Write.SetMaxIdleConns(connections)
	db.Write.SetConnMaxIdleTime(5 * time.Minute)
	db.Write.SetConnMaxLifetime(5 * time.Minute) // it may lead to a server that is not the primary any more
	if err := db.Write.PingContext(ctx); err != nil {
		return errors.Join(fmt.Errorf("the catalog's database: %w", db.dialect.named(err)), db.Write.Close())
	}
	return nil
}

func (p *postgresServer) prepare(context.Context, *sql.Conn, Durability) error { return nil }

// begun makes the transaction wait for its commit to be on the disk, or not, and takes
// the time, in one question.
func (p *postgresServer) begun(ctx context.Context, tx *sql.Tx, d Durability) (time.Time, error) {
	set := `current_setting('synchronous_commit')`
	if d == Recoverable {
		set = `set_config('synchronous_commit', 'off', true)`
	}
	var setting string
	var now int64
	err := tx.QueryRowContext(ctx,
		`SELECT `+set+`, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint`).Scan(&setting, &now)
	return time.UnixMicro(now), err
}

// The errors of PostgreSQL that matter here.
const (
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
	readOnlyTransaction  = "25006" // of a standby that is none of ours any more
	tooManyConnections   = "53300"
	diskFull             = "53100"
	undefinedTable       = "42P01"
	uniqueViolation      = "23505"
)

// again is true for what a transaction of its own kind ran into, and for a connection
// that was lost before the commit: then nothing of it is left. One that was lost in
// the commit may have been done.
func (p *postgresServer) again(err error, committing bool) bool {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch e.Code {
		case serializationFailure, deadlockDetected:
			return true
		case uniqueViolation: // of the number of a listing, which another process took
			return e.ConstraintName == "listing_pkey"
		case readOnlyTransaction, tooManyConnections:
			return !committing
		}
	}
	return !committing && lost(err)
}

// lost reports whether an error says that the server cannot be reached just now.
func lost(err error) bool {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		// Connection exceptions, shutting down, starting up.
		return e.Code[:2] == "08" || e.Code[:3] == "57P" || e.Code == tooManyConnections || e.Code == readOnlyTransaction
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	_, refused := errors.AsType[*pgconn.ConnectError](err)
	_, network := errors.AsType[*net.OpError](err) // every error of a file is a net.Error too
	return refused || network || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) ||
		errors.Is(err, net.ErrClosed) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || pgconn.SafeToRetry(err)
}

// named gives an error the one that it stands for.
func (p *postgresServer) named(err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == diskFull {
		return errors.Join(err, syscall.ENOSPC)
	}
	return p.db.nameLost(err)
}

// nameLost makes an AwayError of one that says so in other words.
func (d *DB) nameLost(err error) error {
	if err == nil || !lost(err) {
		return err
	}
	if _, named := errors.AsType[*AwayError](err); named {
		return err
	}
	d.away.Add(1)
	return &AwayError{err}
}

// lock holds an advisory lock until the transaction ends.
func (p *postgresServer) lock(ctx context.Context, tx *sql.Tx, name string) error {
	_, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtextextended(?, 0))`, name)
	return err
}

func (p *postgresServer) skipLocked() string { return " FOR UPDATE SKIP LOCKED" }
func (p *postgresServer) shared() bool       { return true }

func (p *postgresServer) schema(ctx context.Context) (version int64, err error) {
	err = p.db.Read.QueryRowContext(ctx,
		`SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&version)
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == undefinedTable {
		return 0, nil
	}
	return version, p.named(err)
}

// faults is what a look at every row finds: PostgreSQL has no check of a whole
// database that everybody may run.
func (p *postgresServer) faults(ctx context.Context, q Querier) (found []string, err error) {
	err = eachTable(ctx, p.db.Read, func(_ *sql.Tx, table string, rows *sql.Rows) error {
		for rows.Next() {
		}
		if err := rows.Err(); err != nil {
			found = append(found, table+": "+err.Error())
		}
		return nil
	})
	return found, err
}

func (p *postgresServer) size(ctx context.Context) (n int64, err error) {
	err = p.db.Read.QueryRowContext(ctx, `SELECT pg_database_size(current_database())`).Scan(&n)
	return n, p.named(err)
}

func (p *postgresServer) copyTo(ctx context.Context, path string) error {
	to, err := Open(ctx, path, Serve, 1)
	if err != nil {
		return err
	}
	err = to.Migrate(ctx)
	if err == nil {
		err = p.db.CopyRows(ctx, to)
	}
	if err == nil { // one file, without its log
		_, err = to.Write.ExecContext(ctx, `PRAGMA journal_mode = DELETE`)
	}
	return errors.Join(err, to.Close())
}
