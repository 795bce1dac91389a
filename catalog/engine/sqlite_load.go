package engine

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"strings"
)

func (s *sqliteFile) load(ctx context.Context, f func(l loader) error) error {
	return s.db.Update(ctx, Durable, func(tx *Tx) { tx.Fail(f(sqliteLoader{tx.Tx})) })
}

// lastNumber is what SQLite remembers of an AUTOINCREMENT, even of rows that are gone.
func (s *sqliteFile) lastNumber(ctx context.Context, tx *sql.Tx) (n int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = '`+numbered+`'), 0)`).Scan(&n)
	return n, err
}

func (s *sqliteFile) users(context.Context) (users []string, release func(), err error) {
	return nil, func() {}, nil
}

// sqliteLoader inserts row by row: there is nobody to wait for between two.
type sqliteLoader struct{ tx *sql.Tx }

func (l sqliteLoader) clear(ctx context.Context, table string) error {
	_, err := l.tx.ExecContext(ctx, `DELETE FROM `+table)
	return err
}

func (l sqliteLoader) put(ctx context.Context, table string, columns []string, next func() ([]any, error)) error {
	insert, err := l.tx.PrepareContext(ctx,
		`INSERT INTO `+table+` (`+strings.Join(columns, ", ")+`) VALUES (?`+strings.Repeat(", ?", len(columns)-1)+`)`)
	if err != nil {
		return err
	}
	defer insert.Close()
	for {
		row, err := next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			_, err = insert.ExecContext(ctx, row...)
		}
		if err != nil {
			return err
		}
	}
}

func (l sqliteLoader) each(ctx context.Context, table string, columns []string, see func(row []any)) error {
	rows, err := l.tx.QueryContext(ctx, `SELECT `+strings.Join(columns, ", ")+` FROM `+table)
	if err != nil {
		return err
	}
	defer rows.Close()
	row, at := make([]any, len(columns)), make([]any, len(columns))
	for i := range row {
		at[i] = &row[i]
	}
	for rows.Next() {
		if err := rows.Scan(at...); err != nil {
			return err
		}
		see(row)
	}
	return rows.Err()
}

func (l sqliteLoader) number(ctx context.Context, last int64) error {
	if _, err := l.tx.ExecContext(ctx, `DELETE FROM sqlite_sequence WHERE name = '`+numbered+`'`); err != nil {
		return err
	}
	_, err := l.tx.ExecContext(ctx, `INSERT INTO sqlite_sequence (name, seq) VALUES ('`+numbered+`', ?)`, last)
	return err
}
