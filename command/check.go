package command

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"proflens/catalog"
)

// placeFlags are the flags that say where a server's catalog and files are.
func placeFlags(fs *pflag.FlagSet) *catalog.Place {
	p := &catalog.Place{}
	fs.StringVar(&p.Dir, "data", "./proflens-data", "data `folder`")
	fs.StringVar(&p.Database, "catalog", "",
		"`URL` of a PostgreSQL database for the catalog, such as postgres://proflens@host/proflens; default is SQLite in "+
			"the data folder")
	fs.IntVar(&p.Connections, "catalog-connections", 16, "maximum simultaneous `connections` to that database, 4 or more")
	fs.StringVar(&p.Objects, "objects", "",
		"`URL` of a bucket for originals and tables, such as s3://bucket?region=eu-central-1; default is the data folder")
	p.CacheSize = 10 << 30
	fs.Var((*byteSize)(&p.CacheSize), "cache-size", "maximum `bytes` of copies of the bucket's files in the data folder")
	return p
}

// faultsError is a data folder in which something is wrong.
type faultsError int

func (n faultsError) Error() string {
	return fmt.Sprintf("faults that are left: %d", int(n))
}

// faults prints what is wrong, and counts what the server mends by itself.
type faults struct {
	to      io.Writer
	rebuilt int
}

func (f *faults) report(fault catalog.Fault) {
	if fault.Mends() {
		f.rebuilt++
	} else {
		fmt.Fprintln(f.to, fault)
	}
}

// left says what is mended, and is the error of what is not of all that was found.
func (f *faults) left(all int) error {
	if f.rebuilt > 0 {
		fmt.Fprintf(f.to, "tables to rebuild: %d; the server does it by itself\n", f.rebuilt)
	}
	if left := all - f.rebuilt; left > 0 {
		return faultsError(left)
	}
	return nil
}

// checkCommand reads a data folder through and says what is wrong. A server may be at
// work there.
func checkCommand(c *cobra.Command) runner {
	noArguments(c)
	place := placeFlags(c.Flags())
	return func(ctx context.Context, _ []string, std stdio) error {
		faults := faults{to: std.out}
		c, err := catalog.Check(ctx, *place, faults.report)
		if err != nil {
			return err
		}
		fmt.Fprintf(std.out, "profiles: %d, originals: %d, tables: %d, bytes read: %d\n", c.Profiles, c.Originals,
			c.Tables, c.Bytes)
		return faults.left(c.Faults)
	}
}
