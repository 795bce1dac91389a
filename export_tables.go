package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"proflens/decode"
	"proflens/decode/model"
	"proflens/ingest"
	"proflens/names"
	"proflens/store"
	"proflens/tables"
)

// exportTable writes one table of the profile, whole.
func exportTable(format tables.Format) func(io.Writer, *decode.Profile, exportOptions) ([]model.Finding, error) {
	return func(w io.Writer, p *decode.Profile, o exportOptions) ([]model.Finding, error) {
		partial := model.PartialLines(p.Info().Partial)
		entry, err := tables.Find(p.Info().Families, o.table)
		if err != nil {
			return nil, usageError{"export: " + err.Error()}
		}
		return nil, o.withTables(func(ctx context.Context, _ string, p *store.Profile) error {
			table, err := entry.Open(ctx, p, tables.Options{Demangle: func(linkage string) string { return names.Demangle(linkage, names.Full) }})
			if err != nil {
				return err
			}
			rows, err := table.Select(nil, format)
			if err != nil {
				return err
			}
			rows.Head.Partial = partial
			_, err = rows.Copy(ctx, 0, -1, func() (tables.Writer, error) { return tables.NewWriter(w, format, rows.Head) })
			return err
		})
	}
}

// exportSQLite writes the profile's database.
func exportSQLite(w io.Writer, _ *decode.Profile, o exportOptions) ([]model.Finding, error) {
	return nil, o.withTables(func(ctx context.Context, dir string, p *store.Profile) error {
		path := filepath.Join(dir, "export.db")
		if err := p.WriteSQLite(ctx, path); err != nil {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		_, err = io.Copy(w, f)
		return errors.Join(err, f.Close())
	})
}

// withTables writes a profile's tables to a temporary folder, has them read, and
// removes it.
func withTables(ctx context.Context, files []decode.File, p *decode.Profile, read func(ctx context.Context, dir string, p *store.Profile) error) (err error) {
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
	in := store.ProfileInput{Source: p, MIP: p.MIP, DCPI: p.DCPI, MemProf: p.MemProf, Inputs: ingest.InputsOf(p, fileEntries(files))}
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

func fileEntries(files []decode.File) []store.FileEntry {
	entries := make([]store.FileEntry, len(files))
	for i, f := range files {
		digest := sha256.Sum256(f.Data)
		entries[i] = store.FileEntry{Name: f.Name, Size: int64(len(f.Data)), SHA256: hex.EncodeToString(digest[:])}
	}
	return entries
}
