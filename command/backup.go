package command

import (
	"context"
	"fmt"

	"proflens/catalog"
)

// runBackup copies a data folder, in which a server may be at work, to a new folder.
func runBackup(ctx context.Context, args []string, std stdio) error {
	fs := newFlagSet("backup", "[-data FOLDER] [-catalog URL] [-objects URL] [-link-from FOLDER] NEWFOLDER", std)
	place := placeFlags(fs)
	linkFrom := fs.String("link-from", "", "`folder` of an earlier backup; hard-link its files instead of copying them")
	if err := parseWithEnv(fs, args); err != nil {
		return err
	}
	if fs.NArg() != 1 {
		return usageError{fmt.Sprintf("backup takes one new folder, got %q", fs.Args())}
	}
	o := catalog.BackupOptions{Program: programVersion()}
	if *linkFrom != "" {
		o.LinkFrom = []string{*linkFrom}
	}
	m, err := catalog.Backup(ctx, *place, fs.Arg(0), o, func(f catalog.Fault) { fmt.Fprintln(std.out, f) })
	if err != nil {
		return err
	}
	return answerBackup("backed up", m, std)
}

// runRestore makes a data folder of a backup.
func runRestore(ctx context.Context, args []string, std stdio) error {
	fs := newFlagSet("restore", "[-data NEWFOLDER] [-without-damaged] BACKUP", std)
	data := fs.String("data", "./proflens-data", "new data `folder`")
	var o catalog.RestoreOptions
	fs.BoolVar(&o.WithoutDamaged, "without-damaged", false,
		"if the backup has damaged or lost originals, restore all others")
	if err := parseWithEnv(fs, args); err != nil {
		return err
	}
	if fs.NArg() != 1 {
		return usageError{fmt.Sprintf("restore takes one backup, got %q", fs.Args())}
	}
	m, err := catalog.Restore(ctx, *data, fs.Arg(0), o, func(f catalog.Fault) { fmt.Fprintln(std.out, f) })
	if err != nil {
		return err
	}
	return answerBackup("restored", m, std)
}

func answerBackup(done string, m *catalog.Manifest, std stdio) error {
	fmt.Fprintf(std.out, "%s, as of %s: profiles: %d, originals: %d, bytes: %d\n", done,
		m.Made.Format("2006-01-02 15:04:05 MST"), m.Profiles, m.Originals, m.Bytes)
	if m.Faults > 0 {
		return faultsError(m.Faults)
	}
	return nil
}
