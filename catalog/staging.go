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

	f    *os.File
	hash hash.Hash
}

// Stage begins a file.
func (s *Catalog) Stage() (*Staged, error) {
	f, err := os.CreateTemp(s.StagingDir(), "upload-*")
	if err != nil {
		return nil, fmt.Errorf("staging: %w", err)
	}
	return &Staged{Path: f.Name(), f: f, hash: sha256.New()}, nil
}

// StagingDir is the folder for files in the making. It is on the same file
// system as the rest of the data folder and is emptied at start.
func (s *Catalog) StagingDir() string { return filepath.Join(s.dir, "staging") }

// Write appends to the file.
func (g *Staged) Write(p []byte) (int, error) {
	n, err := g.f.Write(p)
	g.hash.Write(p[:n])
	g.Size += int64(n)
	return n, err
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
	if g.f != nil {
		g.f.Close()
		g.f = nil
	}
	if err := os.Remove(g.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
