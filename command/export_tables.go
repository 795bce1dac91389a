package command

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
	"proflens/ingest/tasks"
	"proflens/profile"
	"proflens/profile/stored"
)

// withTables writes a profile's tables to a temporary folder, has them read, and
// removes it.
func withTables(ctx context.Context, files []format.File, p *format.Profile,
	read func(ctx context.Context, dir string, p *stored.Profile) error) (err error) {
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
	if _, err := profile.Write(ctx, path, profile.Input{Profile: p, Files: tasks.InputsOf(p, files, sums(files))},
		nil); err != nil {
		return err
	}
	profile, err := stored.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, profile.Close()) }()
	return read(ctx, dir, profile)
}

func sums(files []format.File) []string {
	sums := make([]string, len(files))
	for i, f := range files {
		digest := sha256.Sum256(f.Data)
		sums[i] = hex.EncodeToString(digest[:])
	}
	return sums
}
