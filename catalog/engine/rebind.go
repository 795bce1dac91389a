package engine

import (
	"context"
	"database/sql/driver"
	"reflect"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/stdlib"
)

// rebound makes connections to PostgreSQL that take statements and values as SQLite
// does, so that a statement need not know where it is going.
type rebound struct{ driver.Connector }

func (r rebound) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := r.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &conn{c.(*stdlib.Conn)}, nil
}

type conn struct{ *stdlib.Conn }

func (c *conn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	return c.Conn.PrepareContext(ctx, rebind(query))
}

func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	return c.Conn.ExecContext(ctx, rebind(query), args)
}

func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	return c.Conn.QueryContext(ctx, rebind(query), args)
}

// CheckNamedValue makes a number of a truth, as SQLite keeps it, and leaves out of a
// text what PostgreSQL cannot hold in one: zeros, and what is not UTF-8.
func (c *conn) CheckNamedValue(v *driver.NamedValue) error {
	switch value := reflect.ValueOf(v.Value); value.Kind() {
	case reflect.Bool:
		v.Value = int64(0)
		if value.Bool() {
			v.Value = int64(1)
		}
	case reflect.String:
		v.Value = strings.ReplaceAll(strings.ToValidUTF8(value.String(), "\uFFFD"), "\x00", "\uFFFD")
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
