package engine

import (
	"context"
	"database/sql"
	"fmt"
)

// Querier is a database or a transaction.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Execer is a database or a transaction that takes changes.
type Execer interface {
	ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error)
}

// Wrapped is an error that says whose it is; nil of nil.
func Wrapped(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("catalog: %w", err)
}

// Exec executes a statement.
func Exec(ctx context.Context, q Execer, statement string, args ...any) error {
	_, err := ExecCount(ctx, q, statement, args...)
	return err
}

// ExecCount executes a statement, and says how many rows it has changed.
func ExecCount(ctx context.Context, q Execer, statement string, args ...any) (rows int64, err error) {
	done, err := q.ExecContext(ctx, statement, args...)
	if err == nil {
		rows, err = done.RowsAffected()
	}
	return rows, Wrapped(err)
}

// One is the one value that a query gives: [sql.ErrNoRows] where it gives none.
func One[T any](ctx context.Context, q Querier, query string, args ...any) (value T, err error) {
	err = q.QueryRowContext(ctx, query, args...).Scan(&value)
	return value, Wrapped(err)
}

// Each reads the rows that a query gives one after another: its columns go where to says, and see is
// called then.
func Each(ctx context.Context, q Querier, to []any, see func(), query string, args ...any) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return Wrapped(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return Wrapped(err)
		}
		see()
	}
	return Wrapped(rows.Err())
}

// Rows are the rows that a query selects; columns are where those of one go.
func Rows[T any](ctx context.Context, q Querier, columns func(*T) []any, query string, args ...any) ([]T, error) {
	var row T
	var all []T
	err := Each(ctx, q, columns(&row), func() { all = append(all, row) }, query, args...)
	return all, err
}

// Column is the one column of the rows that a query selects.
func Column[T any](ctx context.Context, q Querier, query string, args ...any) ([]T, error) {
	return Rows(ctx, q, func(value *T) []any { return []any{value} }, query, args...)
}
