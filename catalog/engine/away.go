package engine

import (
	"database/sql/driver"
	"errors"
)

// AwayError is returned when the database's server cannot be reached, after some
// tries where it was to be changed. What was asked may be asked again.
type AwayError struct{ Cause error }

// Error says so, with the cause in the system's words.
func (e *AwayError) Error() string {
	return "the catalog's database cannot be reached: " + e.Cause.Error()
}

// Unwrap is the cause.
func (e *AwayError) Unwrap() error { return e.Cause }

// ErrLocked says that another process holds the database's file, and did for longer than
// is waited for.
var ErrLocked = errors.New("the catalog's database is locked by another process")

// IsAway reports whether an error says that the database's server cannot be reached.
func IsAway(err error) bool {
	_, away := errors.AsType[*AwayError](err)
	return away || errors.Is(err, driver.ErrBadConn)
}
