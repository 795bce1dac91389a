package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// load has a connection of its own, for PostgreSQL's COPY.
func (p *postgresServer) load(ctx context.Context, f func(l loader) error) error {
	conn, err := pgx.ConnectConfig(ctx, p.config)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error { return f(postgresLoader{tx}) })
}

// lastNumber is the last that was given out, whether its row was committed or not.
func (p *postgresServer) lastNumber(ctx context.Context, tx *sql.Tx) (n int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM `+numbered+`_id_seq`).Scan(&n)
	return n, err
}

// commanding names the connections of commands, which come and go beside servers.
const commanding = "proflens command"

// leaving is how long is waited for connections to end: PostgreSQL sees in its own time that a
// server which has just stopped has closed its own.
const leaving = 4 * time.Second

// users are the others who are connected to the database as the same user, and do not leave;
// servers that start wait until it is released.
func (p *postgresServer) users(ctx context.Context) (users []string, release func(), err error) {
	plain := stdlib.OpenDB(*p.config)
	release = func() { plain.Close() } // the lock ends with its connection
	plain.SetMaxOpenConns(1)
	_, err = plain.ExecContext(ctx, `SELECT pg_advisory_lock($1)`, int64(migrating))
	for pause := time.Millisecond; err == nil && pause < leaving; pause *= 2 {
		var name string
		var n int
		users = nil
		err = Each(ctx, plain, []any{&name, &n}, func() { users = append(users, fmt.Sprintf("%s (%d)", name, n)) },
			`SELECT application_name, count(*) FROM pg_stat_activity WHERE datname = current_database()
			AND usename = current_user AND backend_type = 'client backend' AND application_name <> $1 GROUP BY 1 ORDER BY 1`,
			commanding)
		if len(users) == 0 {
			break
		}
		time.Sleep(pause)
	}
	if err != nil {
		release()
		return nil, nil, err
	}
	return users, release, nil
}

type postgresLoader struct{ tx pgx.Tx }

func (l postgresLoader) clear(ctx context.Context, table string) error {
	_, err := l.tx.Exec(ctx, `DELETE FROM `+table)
	return err
}

func (l postgresLoader) put(ctx context.Context, table string, columns []string, next func() ([]any, error)) error {
	_, err := l.tx.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromFunc(func() ([]any, error) {
		row, err := next()
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		return row, err
	}))
	return err
}

func (l postgresLoader) each(ctx context.Context, table string, columns []string, see func(row []any)) error {
	rows, err := l.tx.Query(ctx, `SELECT `+strings.Join(columns, ", ")+` FROM `+table)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		row, err := rows.Values()
		if err != nil {
			return err
		}
		see(row)
	}
	return rows.Err()
}

func (l postgresLoader) number(ctx context.Context, last int64) error {
	_, err := l.tx.Exec(ctx, `SELECT setval(pg_get_serial_sequence('`+numbered+`', 'id'), greatest($1, 1), $1 > 0)`, last)
	return err
}
