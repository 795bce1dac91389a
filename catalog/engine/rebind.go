package engine

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// rebound makes connections to PostgreSQL that take statements and values as SQLite
// does, so that a statement need not know where it is going.
type rebound struct {
	driver.Connector
	db *DB
}

func (r rebound) Connect(ctx context.Context) (driver.Conn, error) {
	demotions := r.db.demotions.Load()
	c, err := r.Connector.Connect(ctx)
	if err != nil {
		return nil, r.db.nameLost(err)
	}
	made := &conn{Conn: c.(*stdlib.Conn), db: r.db, made: demotions}
	if _, err := made.Conn.Conn().Exec(ctx, alone); err != nil {
		return nil, errors.Join(made.named(err), made.Close())
	}
	return made, nil
}

// alone has each connection do its own work: what is asked is short, and where the planner
// thinks otherwise, starting helpers takes longer than the answer.
const alone = `SET max_parallel_workers_per_gather = 0`

type conn struct {
	*stdlib.Conn
	db   *DB
	made int64 // after so many demotions
}

// named names an error, and remembers that the server no longer takes changes: after a
// failover this connection, and all that are as old, may lead to what was the primary.
func (c *conn) named(err error) error {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == readOnlyTransaction {
		c.db.demotions.CompareAndSwap(c.made, c.made+1)
	}
	return c.db.nameLost(err)
}

// IsValid keeps a connection that is of no more use out of the pool.
func (c *conn) IsValid() bool { return !c.demoted() && !c.Conn.Conn().IsClosed() }

// ResetSession takes one out that has been of use until now.
func (c *conn) ResetSession(ctx context.Context) error {
	if c.demoted() {
		return driver.ErrBadConn
	}
	return c.Conn.ResetSession(ctx)
}

func (c *conn) demoted() bool { return c.made < c.db.demotions.Load() }

func (c *conn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	tx, err := c.Conn.BeginTx(ctx, opts)
	return tx, c.named(err)
}

func (c *conn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	stmt, err := c.Conn.PrepareContext(ctx, rebind(query))
	return stmt, c.named(err)
}

func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	result, err := c.Conn.ExecContext(ctx, rebind(query), args)
	return result, c.named(err)
}

func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	query = rebind(query)
	if strings.Contains(query, likeWords) {
		args = slices.Insert(args, 0, driver.NamedValue{Value: pgx.QueryExecModeCacheDescribe})
	}
	rows, err := c.Conn.QueryContext(ctx, query, args)
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code[:3] == "57P" {
		return nil, driver.ErrBadConn // the server stopped; what only reads may be asked of it when it is back
	}
	if err != nil {
		return nil, c.named(err)
	}
	return &answer{rows.(*stdlib.Rows), c}, nil
}

// answer names the error that ends rows too soon.
type answer struct {
	*stdlib.Rows
	c *conn
}

func (a *answer) Next(row []driver.Value) error {
	err := a.Rows.Next(row)
	if err == nil || err == io.EOF {
		return err
	}
	return a.c.named(err)
}

// Close tells of what ended the rows after the last one that was read: the server may
// stop between a row and the end of its answer.
func (a *answer) Close() error { return a.c.named(a.Rows.Close()) }

// CheckNamedValue makes a number of a truth, as SQLite keeps it, and leaves out of a
// text what PostgreSQL cannot hold in one.
func (c *conn) CheckNamedValue(v *driver.NamedValue) error {
	switch value := reflect.ValueOf(v.Value); value.Kind() {
	case reflect.Bool:
		v.Value = int64(0)
		if value.Bool() {
			v.Value = int64(1)
		}
	case reflect.String:
		v.Value = holdable(value.String())
	}
	return nil
}

// rebind writes the parameters ? and ?N as $1, $2 … and $N. Those in quotes stay.
func rebind(query string) string {
	var b strings.Builder
	quote, n := byte(0), 0
	for i := 0; i < len(query); i++ {
		c := query[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '?':
			b.WriteByte('$')
			if i+1 == len(query) || query[i+1] < '0' || query[i+1] > '9' {
				n++
				b.WriteString(strconv.Itoa(n))
			}
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}
