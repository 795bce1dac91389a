package engine

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// tables are those of the catalog that are copied, each after those that it refers to. A
// test compares them with the migrations.
var tables = strings.Fields(`
	profile file label job garbage token build tally object measured project_rules dismissed_step`)

// numbered is the table whose rows the database numbers. A number is never given twice,
// so a copy goes on after the last that was given.
const numbered = "job"

// loader replaces the rows of a database in one transaction.
type loader interface {
	clear(ctx context.Context, table string) error
	// put adds rows until next returns io.EOF.
	put(ctx context.Context, table string, columns []string, next func() ([]any, error)) error
	each(ctx context.Context, table string, columns []string, see func(row []any)) error
	// number has the next row of the numbered table get a number above last.
	number(ctx context.Context, last int64) error
}

// eachTable gives f the rows of every table, as they are at one moment.
func eachTable(ctx context.Context, from *sql.DB, f func(tx *sql.Tx, table string, rows *sql.Rows) error) error {
	tx, err := from.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return Wrapped(err)
	}
	defer tx.Rollback()
	for _, table := range tables {
		rows, err := tx.QueryContext(ctx, `SELECT * FROM `+table)
		if err != nil {
			return Wrapped(err)
		}
		err = f(tx, table, rows)
		if err = errors.Join(err, rows.Close()); err != nil {
			return err
		}
	}
	return nil
}

// CopyRows replaces all rows of another database, of the same schema, by those of this
// one, as they are at one moment: all or none. What arrived is read again and compared.
func (d *DB) CopyRows(ctx context.Context, to *DB) error {
	err := to.dialect.load(ctx, func(l loader) error {
		for _, table := range slices.Backward(tables) {
			if err := l.clear(ctx, table); err != nil {
				return err
			}
		}
		var last int64
		err := eachTable(ctx, d.Read, func(tx *sql.Tx, table string, rows *sql.Rows) (err error) {
			if err = copyTable(ctx, l, table, rows); err == nil && table == numbered {
				last, err = d.dialect.lastNumber(ctx, tx)
			}
			return err
		})
		if err != nil {
			return err
		}
		return l.number(ctx, last)
	})
	if err == nil {
		err = to.listAll(ctx)
	}
	return to.dialect.named(d.dialect.named(err))
}

// copyTable puts rows and sees that they have arrived.
func copyTable(ctx context.Context, l loader, table string, rows *sql.Rows) error {
	columns, err := rows.Columns()
	if err != nil {
		return Wrapped(err)
	}
	row, at := make([]any, len(columns)), make([]any, len(columns))
	for i := range row {
		at[i] = &row[i]
	}
	var sent, arrived digest
	err = l.put(ctx, table, columns, func() ([]any, error) {
		if !rows.Next() {
			return nil, errors.Join(rows.Err(), io.EOF)
		}
		if err := rows.Scan(at...); err != nil {
			return nil, err
		}
		for i, v := range row {
			if text, is := v.(string); is {
				row[i] = holdable(text)
			}
		}
		sent.add(row)
		return row, nil
	})
	if err = errors.Join(err, rows.Err()); err != nil {
		return fmt.Errorf("catalog: copying %s: %w", table, err)
	}
	if err := l.each(ctx, table, columns, arrived.add); err != nil {
		return fmt.Errorf("catalog: comparing %s: %w", table, err)
	}
	if sent != arrived {
		return fmt.Errorf("catalog: %s has %d other rows than the %d that were copied", table, arrived.rows, sent.rows)
	}
	return nil
}

// digest tells a set of rows from another, in whatever order they come.
type digest struct {
	rows int
	sum  [4]uint64 // of the rows' SHA-256
}

func (d *digest) add(row []any) {
	h := sha256.New()
	for _, v := range row {
		s := fmt.Sprintf("%v", v)
		switch v := v.(type) {
		case []byte:
			s = string(v)
		case nil:
			s = "\x00" // which no text has
		}
		fmt.Fprintf(h, "%d %s", len(s), s)
	}
	sum := h.Sum(nil)
	for i := range d.sum {
		d.sum[i] += binary.LittleEndian.Uint64(sum[8*i:])
	}
	d.rows++
}

// holdable leaves out of a text what PostgreSQL cannot hold in one: zeros, and what is
// not UTF-8.
func holdable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}
