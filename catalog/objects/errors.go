package objects

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// DamagedError is returned for a file that is in its store and is not what was stored.
type DamagedError struct {
	Key             string
	Expected, Found string // checksums, with their names
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("%s is damaged: %s, expected %s", e.Key, e.Found, e.Expected)
}

// UnavailableError is returned when a store does not answer, or refuses. Nothing is
// known to be lost: the same may work later.
type UnavailableError struct {
	Doing string // "reading", "writing", "deleting", "listing"
	Key   string
	Err   error // of the last try
}

func (e *UnavailableError) Error() string {
	return fmt.Sprintf("object store: %s %s: %v", e.Doing, e.Key, e.Err)
}

func (e *UnavailableError) Unwrap() error { return e.Err }

// ErrFull is what an error of a store that has no room, or a quota that is used up, is, too.
var ErrFull = errors.New("the object store is full")

// named gives an error of a bucket the meaning that Store promises. The context's own
// stays what it is.
func named(ctx context.Context, doing, key string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("object store: %s: %w", key, fs.ErrNotExist)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	for _, already := range []any{new(*DamagedError), new(*UnavailableError), new(*localError)} {
		if errors.As(err, already) {
			return err
		}
	}
	return &UnavailableError{doing, key, err}
}

// localError is a fault of this machine's disk while a store is read or written.
type localError struct{ err error }

func (e *localError) Error() string { return e.err.Error() }
func (e *localError) Unwrap() error { return e.err }

func local(err error) error {
	if err == nil {
		return nil
	}
	return &localError{err}
}
