package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"proflens/catalog"
	"proflens/decode/model"
)

const migrateStoreHelp = `
Moves what a server has. The flags say where it is, each TO where a part goes:

  postgres://…   the catalog, from the data folder to an empty PostgreSQL database
  sqlite         the catalog, back to the data folder
  s3://… etc.    originals and tables, from the data folder to a bucket
  folder         originals and tables, back to the data folder

Run it while the server works: files are copied, and reading and uploading go
on. Then stop the server, all instances of it, and run the same again: it copies
what came meanwhile, and the catalog. Every copy is compared with its checksum.
It can be interrupted at any time and run again. The old place keeps its files;
remove them when the new one is in use.
`

// migrateStoreCommand moves a server's files, its catalog, or both.
func migrateStoreCommand(c *cobra.Command) runner {
	c.Use += " TO…"
	c.ValidArgs = []string{"folder", "sqlite"}
	c.Long = migrateStoreHelp
	place := placeFlags(c.Flags())
	return func(ctx context.Context, args []string, std stdio) error {
		if len(args) == 0 {
			return usageError{
				"migrate-store takes where to move: the URL of a database or sqlite, the URL of a bucket or folder, or one of each",
			}
		}
		return migrateStore(ctx, place, args, std)
	}
}

func migrateStore(ctx context.Context, place *catalog.Place, args []string, std stdio) error {
	to := *place
	for _, arg := range args {
		switch {
		case arg == "folder":
			to.Objects = ""
		case arg == "sqlite":
			to.Database = ""
		case strings.HasPrefix(arg, "postgres://"), strings.HasPrefix(arg, "postgresql://"):
			to.Database = arg
		default:
			to.Objects = arg
		}
	}
	faults := faults{to: std.out}
	m, err := catalog.Migrate(ctx, *place, to, faults.report)
	if to.Objects != place.Objects {
		fmt.Fprintf(std.out, "at the new place: originals: %d, tables: %d; copied now: %s, %s\n", m.Originals, m.Tables,
			model.Amount(m.Copied, "file", "files"), model.Amount(m.Bytes, "byte", "bytes"))
	}
	if err != nil {
		return err
	}
	switch {
	case m.Finished:
		fmt.Fprintf(std.out, "the move is complete: start the server with %s\nwhat is at the old place can be removed\n",
			flagsOf(to))
	case len(m.Users) > 0:
		fmt.Fprintf(std.out, "connected to the database: %s; stop all instances and run this command again to copy the "+
			"rest and complete the move\n", strings.Join(m.Users, ", "))
	default:
		fmt.Fprintln(std.out, "a server is using the data folder: stop it, all instances, and run this command again to "+
			"copy the rest and complete the move")
	}
	return faults.left(m.Faults)
}

// flagsOf is how to start a server there.
func flagsOf(p catalog.Place) string {
	flags := "-data " + p.Dir
	if p.Objects != "" {
		flags += " -objects '" + p.Objects + "'"
	}
	if p.Database != "" {
		flags += " -catalog and the URL of the database" // which may have a password
	}
	return flags
}
