// Package buffer keeps an answer that is made faster than it is read.
package buffer

import (
	"io"
	"sync"

	"proflens/catalog"
)

// bufferMemory is how much of an answer waits in memory for its reader; what is
// more waits on the disk.
const bufferMemory = 1 << 20

// Buffer takes an answer as fast as it is made and gives it out as fast as it is
// read, so that a slow reader holds no decoder. One goroutine writes and closes,
// another copies.
type Buffer struct {
	scratch func() (*catalog.Staged, error) // on the disk, under the budget of uploads

	mu     sync.Mutex
	more   sync.Cond
	memory []byte
	disk   *catalog.Staged
	size   int64
	ended  bool
	fault  error // of the maker; the reader is told after the last byte
	gone   error // why the reader reads no more
}

// New makes an empty buffer.
func New(scratch func() (*catalog.Staged, error)) *Buffer {
	s := &Buffer{scratch: scratch}
	s.more.L = &s.mu
	return s
}

// Write takes a part of the answer. It returns the reader's error once there is
// one, and [*catalog.SpaceError] where the disk has no room.
func (s *Buffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone != nil {
		return 0, s.gone
	}
	if s.disk == nil && len(s.memory)+len(p) > bufferMemory {
		var err error
		if s.disk, err = s.scratch(); err != nil {
			return 0, err
		}
	}
	if s.disk == nil {
		s.memory = append(s.memory, p...)
	} else if n, err := s.disk.Write(p); err != nil {
		return n, err
	}
	s.size += int64(len(p))
	s.more.Broadcast()
	return len(p), nil
}

// Close ends the answer, cut off by an error unless that is nil.
func (s *Buffer) Close(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended, s.fault = true, err
	s.more.Broadcast()
}

// CopyTo gives the answer to its reader until it is closed, and returns the fault
// that it was closed with, or the reader's.
func (s *Buffer) CopyTo(w io.Writer) error {
	buffer := make([]byte, 64<<10)
	for at := int64(0); ; {
		n, err := s.next(buffer, at)
		if n > 0 {
			if _, err := w.Write(buffer[:n]); err != nil {
				s.leave(err)
				return err
			}
			at += int64(n)
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// next waits for bytes from an offset on.
func (s *Buffer) next(buffer []byte, at int64) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for at == s.size && !s.ended {
		s.more.Wait()
	}
	switch {
	case at < int64(len(s.memory)):
		return copy(buffer, s.memory[at:]), nil
	case at < s.size:
		n, err := s.disk.ReadAt(buffer[:min(int64(len(buffer)), s.size-at)], at-int64(len(s.memory)))
		if n > 0 {
			err = nil
		}
		return n, err
	case s.fault != nil:
		return 0, s.fault
	}
	return 0, io.EOF
}

// leave tells whoever writes that nobody reads.
func (s *Buffer) leave(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gone = err
}

// Discard gives the disk back, after both have ended.
func (s *Buffer) Discard() {
	if s.disk != nil {
		s.disk.Discard() // what stays behind is swept at the next start
	}
}
