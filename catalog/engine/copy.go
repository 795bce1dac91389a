package engine

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// tables are those of the catalog, each after those that it refers to. A test compares
// them with the migrations.
var tables = []string{"profile", "file", "label", "job", "garbage", "token", "build", "tally"}

// eachTable gives f the rows of every table, as they are at one moment.
func eachTable(ctx context.Context, from *sql.DB, f func(table string, rows *sql.Rows) error) error {
	tx, err := from.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return fmt.Errorf("catalog: %w", err)
	}
	defer tx.Rollback()
	for _, table := range tables {
		rows, err := tx.QueryContext(ctx, `SELECT * FROM `+table)
		if err != nil {
			return fmt.Errorf("catalog: %w", err)
		}
		err = f(table, rows)
		rows.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// copyRows copies every row of every table to a database that has none. Both have the
// same schema.
func copyRows(ctx context.Context, from *sql.DB, to *DB) error {
	return to.Update(ctx, Durable, func(tx *sql.Tx) error {
		return eachTable(ctx, from, func(table string, rows *sql.Rows) error {
			columns, err := rows.Columns()
			if err != nil {
				return err
			}
			insert, err := tx.PrepareContext(ctx, `INSERT INTO `+table+` (`+strings.Join(columns, ", ")+`) VALUES (?`+strings.Repeat(", ?", len(columns)-1)+`)`)
			if err != nil {
				return fmt.Errorf("catalog: %w", err)
			}
			defer insert.Close()
			row, at := make([]any, len(columns)), make([]any, len(columns))
			for i := range row {
				at[i] = &row[i]
			}
			for rows.Next() {
				if err := rows.Scan(at...); err != nil {
					return fmt.Errorf("catalog: %w", err)
				}
				if _, err := insert.ExecContext(ctx, row...); err != nil {
					return fmt.Errorf("catalog: %w", err)
				}
			}
			return rows.Err()
		})
	})
}
