package engine

import (
	"context"
	"database/sql"
)

// Tx is a transaction that changes rows, all at one time. It keeps its first fault: from then on
// Exec and Get send nothing and give 0, and nothing of it is done in the end. Who does more in
// between than ask the database looks at Err first.
type Tx struct {
	*sql.Tx
	Context context.Context
	Now     int64 // in microseconds since 1970

	db  *DB
	err error
}

// Err is the first fault.
func (t *Tx) Err() error { return t.err }

// Fail has the transaction fail for an error, nil for none, and reports whether it has failed.
func (t *Tx) Fail(err error) bool {
	if t.err == nil {
		t.err = err
	}
	return t.err != nil
}

// Exec executes a statement, and says how many rows it has changed.
func (t *Tx) Exec(statement string, args ...any) (rows int64) {
	if t.err == nil {
		rows, t.err = ExecCount(t.Context, t.Tx, statement, args...)
	}
	return rows
}

// Get is the one value that a query gives: the transaction fails where it gives none.
func Get[T any](t *Tx, query string, args ...any) (value T) {
	if t.err == nil {
		value, t.err = One[T](t.Context, t.Tx, query, args...)
	}
	return value
}

// Lock has other transactions wait that lock the same name, until this one ends.
func (t *Tx) Lock(name string) {
	if t.err == nil {
		t.err = Wrapped(t.db.dialect.lock(t.Context, t.Tx, name))
	}
}

// Notify tells those who listen, once the transaction is committed.
func (t *Tx) Notify(message string) {
	if t.err == nil {
		t.err = Wrapped(t.db.dialect.notify(t.Context, t.Tx, message))
	}
}
