package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
)

// Staged is a file on its way in: written to staging/ with its SHA-256 taken
// on the way, sealed, and then published by Create or AddFiles, or discarded.
type Staged struct {
	Path   string // in staging/, until published
	Size   int64  // bytes written
	SHA256 string // hex; empty before Seal

	f     *os.File
	hash  hash.Hash // nil for what is never published
	begun int64     // bytes that the disk was given so far
	space *space
	held  int64 // bytes that the budget has of it
}

// roomEvery is after how many bytes the disk is looked at again.
const roomEvery = 4 << 20

// Stage begins a file. It and writing return *SpaceError where there is no room.
func (s *Catalog) Stage() (*Staged, error) {
	if err := s.countWaiting(); err != nil {
		return nil, fmt.Errorf("staging: %w", err)
	}
	if err := s.space.room(); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(s.StagingDir(), "upload-*")
	if err != nil {
		return nil, fmt.Errorf("staging: %w", err)
	}
	return &Staged{Path: f.Name(), f: f, hash: sha256.New(), space: &s.space}, nil
}

// Scratch is a file that is never published: it is written, read with ReadAt, and
// discarded, under the budget of uploads.
func (s *Catalog) Scratch() (*Staged, error) {
	g, err := s.Stage()
	if err == nil {
		g.hash = nil
	}
	return g, err
}

// StagingDir is the folder for files in the making. It is on the same file
// system as the rest of the data folder and is emptied at start.
func (s *Catalog) StagingDir() string { return filepath.Join(s.dir, "staging") }

// Write appends to the file.
func (g *Staged) Write(p []byte) (int, error) {
	n, err := g.append(p)
	g.digest(p[:n])
	return n, err
}

// append writes bytes, without hashing them.
func (g *Staged) append(p []byte) (int, error) {
	if g.Size+int64(len(p)) > g.held {
		if err := g.claim(max(int64(len(p)), roomEvery/64)); err != nil {
			return 0, err
		}
	}
	n, err := g.f.Write(p)
	g.Size += int64(n)
	g.beginSync()
	return n, err
}

// digest hashes bytes.
func (g *Staged) digest(p []byte) {
	if g.hash != nil {
		g.hash.Write(p)
	}
}

// claim takes n more bytes of the budget.
func (g *Staged) claim(n int64) error {
	if err := g.space.take(n); err != nil {
		return err
	}
	if g.held/roomEvery != (g.held+n)/roomEvery {
		if err := g.space.room(); err != nil {
			g.space.staged.Add(-n)
			return err
		}
	}
	g.held += n
	return nil
}

// release gives the budget back what the file held of it.
func (g *Staged) release() {
	if g.space != nil {
		g.space.staged.Add(-g.held)
		g.held = 0
	}
}

// ReadAt reads what was written, before Seal.
func (g *Staged) ReadAt(p []byte, off int64) (int, error) { return g.f.ReadAt(p, off) }

// Seal ends writing: the bytes are on the disk when it returns.
func (g *Staged) Seal() error {
	err := g.f.Sync()
	if cerr := g.f.Close(); err == nil {
		err = cerr
	}
	g.f = nil
	g.SHA256 = hex.EncodeToString(g.hash.Sum(nil))
	return err
}

// Discard removes the file, sealed or not. After it was published it does
// nothing.
func (g *Staged) Discard() error {
	g.release()
	if g.f != nil {
		g.f.Close()
		g.f = nil
	}
	if err := os.Remove(g.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
