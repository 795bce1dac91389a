package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"proflens/catalog"
)

// backupCommand copies a data folder, in which a server may be at work, to a new folder.
func backupCommand(c *cobra.Command) runner {
	exactly(c, "NEWFOLDER", "new folder", folders)
	place := placeFlags(c.Flags())
	linkFrom := c.Flags().String("link-from", "",
		"`folder` of an earlier backup; hard-link its files instead of copying them")
	return func(ctx context.Context, args []string, std stdio) error {
		o := catalog.BackupOptions{Program: programVersion()}
		if *linkFrom != "" {
			o.LinkFrom = []string{*linkFrom}
		}
		m, err := catalog.Backup(ctx, *place, args[0], o, func(f catalog.Fault) { fmt.Fprintln(std.out, f) })
		return answerBackup("backed up", m, err, std)
	}
}

// restoreCommand makes a data folder of a backup.
func restoreCommand(c *cobra.Command) runner {
	exactly(c, "BACKUP", "backup", folders)
	data := c.Flags().String("data", "./proflens-data", "new data `folder`")
	var o catalog.RestoreOptions
	c.Flags().BoolVar(&o.WithoutDamaged, "without-damaged", false,
		"if the backup has damaged or lost originals, restore all others")
	return func(ctx context.Context, args []string, std stdio) error {
		m, err := catalog.Restore(ctx, *data, args[0], o, func(f catalog.Fault) { fmt.Fprintln(std.out, f) })
		return answerBackup("restored", m, err, std)
	}
}

func answerBackup(done string, m *catalog.Manifest, err error, std stdio) error {
	if err != nil {
		return err
	}
	fmt.Fprintf(std.out, "%s, as of %s: profiles: %d, originals: %d, bytes: %d\n", done,
		m.Made.Format("2006-01-02 15:04:05 MST"), m.Profiles, m.Originals, m.Bytes)
	if m.Faults > 0 {
		return faultsError(m.Faults)
	}
	return nil
}
