package catalog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"

	"proflens/catalog/engine"
)

// SpaceError is returned when an upload finds no room. Reading and deleting go on.
type SpaceError struct {
	Limit string // the flag that sets it: "max-staging" or "min-free"
	Most  int64  // bytes
	Found int64  // bytes that are staged, or free
}

func (e *SpaceError) Error() string {
	if e.Limit == "max-staging" {
		return fmt.Sprintf("the server is busy with %d bytes of other uploads and takes at most %d at once: try again soon",
			e.Found, e.Most)
	}
	return fmt.Sprintf("the server's disk has %d bytes free and keeps %d in reserve: uploading resumes when there is "+
		"space; reading and deleting still work", e.Found, e.Most)
}

// Space is what uploads may take of the disk.
type Space struct {
	Staging int64 // bytes of all uploads in flight; 0 is no limit
	Free    int64 // bytes that stay free on the disk
}

// space counts what is staged.
type space struct {
	Space
	dir     string
	staged  atomic.Int64
	waiting atomic.Int64 // bytes of files whose tables are not there yet
}

// SetSpace sets what uploads may take, from then on.
func (s *Catalog) SetSpace(limits Space) { s.space.Space = limits }

// countWaiting counts the files of uploads that wait to be decoded. Where others share the
// catalog their tables go elsewhere.
func (s *Catalog) countWaiting() error {
	if s.space.Free <= 0 || s.Shared() {
		return nil
	}
	n, err := engine.One[int64](context.Background(), s.db.Read, `SELECT coalesce(sum(size), 0) FROM file
		WHERE profile_id IN (SELECT profile_id FROM job WHERE priority = 0)`)
	s.space.waiting.Store(n)
	return err
}

// Staged is how many bytes uploads in flight have on the disk.
func (s *Catalog) Staged() int64 { return s.space.staged.Load() }

// Disk is how large the file system of the data folder is, and how much of it this
// process may still use, in bytes; an error where that cannot be told.
func (s *Catalog) Disk() (size, free int64, err error) { return diskOf(s.dir) }

// take claims n bytes for an upload. It returns *SpaceError.
func (s *space) take(n int64) error {
	if staged := s.staged.Add(n); s.Staging > 0 && staged > s.Staging {
		s.staged.Add(-n)
		return &SpaceError{"max-staging", s.Staging, staged - n}
	}
	return nil
}

// room looks at the disk, where what is staged, and what waits to be decoded, need as much
// again for their tables. It returns *SpaceError.
func (s *space) room() error {
	if s.Free <= 0 {
		return nil
	}
	if _, free, err := diskOf(s.dir); err == nil && free-s.staged.Load()-s.waiting.Load() < s.Free {
		return &SpaceError{"min-free", s.Free, free}
	}
	return nil
}

// reserveBytes are kept on the disk for the day it is full: deleting a profile
// writes to the catalog first.
const reserveBytes = 4 << 20

func (s *Catalog) reservePath() string { return filepath.Join(s.dir, "reserve") }

// keepReserve makes the reserve, as far as there is room.
func (s *Catalog) keepReserve() {
	if info, err := os.Stat(s.reservePath()); err == nil && info.Size() == reserveBytes {
		return
	}
	if err := os.WriteFile(s.reservePath(), make([]byte, reserveBytes), 0o600); err != nil {
		os.Remove(s.reservePath())
	}
}

// withReserve does f, and once more without the reserve when the disk is full.
func (s *Catalog) withReserve(f func() error) error {
	err := f()
	if !IsFull(err) {
		return err
	}
	if os.Remove(s.reservePath()) != nil {
		return err
	}
	return f()
}

// IsAway reports whether an error says that the catalog's database cannot be reached
// just now.
func IsAway(err error) bool { return engine.IsAway(err) }

// IsLocked reports whether an error says that another process holds the catalog's database.
func IsLocked(err error) bool { return errors.Is(err, engine.ErrLocked) }

// Away is how often the catalog's database could not be reached.
func (s *Catalog) Away() int64 { return s.db.Away() }

// IsFull reports whether an error says that the disk, or a quota, is full.
func IsFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, errQuota)
}
