package command

import (
	"context"
	"fmt"

	"proflens/catalog"
)

// runMigrateStore moves a server's files to another store.
func runMigrateStore(ctx context.Context, args []string, std stdio) error {
	fs := newFlagSet("migrate-store", "[-data FOLDER] [-catalog URL] [-objects URL] TO", std)
	place := placeFlags(fs)
	if err := parseWithEnv(fs, args); err != nil {
		return err
	}
	if fs.NArg() != 1 {
		return usageError{fmt.Sprintf("migrate-store takes the URL of a bucket, or \"folder\" for the data folder, got %q", fs.Args())}
	}
	report := func(f catalog.Fault) { fmt.Fprintln(std.out, f) }
	to := fs.Arg(0)
	next := "start the server with: -objects " + to
	var m catalog.Migrated
	var err error
	if to == "folder" {
		next = "start the server without -objects"
		m, err = catalog.MigrateToFolder(ctx, *place, report)
	} else {
		m, err = catalog.MigrateToBucket(ctx, *place, to, report)
	}
	fmt.Fprintf(std.out, "at the new place: originals: %d, tables: %d; copied now: %d files, %d bytes\n", m.Originals, m.Tables, m.Copied, m.Bytes)
	if err != nil {
		return err
	}
	if m.Finished {
		fmt.Fprintf(std.out, "the move is complete: %s; the files at the old place can be removed\n", next)
	} else {
		fmt.Fprintln(std.out, "a server is using the data folder: stop it and run this command again to copy the rest and complete the move")
	}
	if m.Faults > 0 {
		return faultsError(m.Faults)
	}
	return nil
}
