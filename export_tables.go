package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"proflens/decode/format"
	"proflens/ingest"
	"proflens/store"
)

// withTables writes a profile's tables to a temporary folder, has them read, and
// removes it.
func withTables(ctx context.Context, files []format.File, p *format.Profile, read func(ctx context.Context, dir string, p *store.Profile) error) (err error) {
	// Written to a pipe that nobody reads any more, the process would end at once,
	// and leave the folder.
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE)
	defer signal.Stop(pipe)
	dir, err := os.MkdirTemp("", "proflens-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "profile.db")
	in := ingest.InputOf(p, fileEntries(files))
	if _, err := store.WriteProfileFile(ctx, path, in, nil); err != nil {
		return err
	}
	profile, err := store.OpenProfileFile(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, profile.Close()) }()
	return read(ctx, dir, profile)
}

func fileEntries(files []format.File) []store.FileEntry {
	entries := make([]store.FileEntry, len(files))
	for i, f := range files {
		digest := sha256.Sum256(f.Data)
		entries[i] = store.FileEntry{Name: f.Name, Size: int64(len(f.Data)), SHA256: hex.EncodeToString(digest[:])}
	}
	return entries
}
