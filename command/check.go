package command

import (
	"context"
	"fmt"

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

// checkCommand reads a data folder through and says what is wrong. A server may be at
// work there.
func checkCommand(c *cobra.Command) runner {
	noArguments(c)
	place := placeFlags(c.Flags())
	return func(ctx context.Context, _ []string, std stdio) error {
		rebuilt := 0
		c, err := catalog.Check(ctx, *place, func(f catalog.Fault) {
			if f.Mends() {
				rebuilt++
			} else {
				fmt.Fprintln(std.out, f)
			}
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(std.out, "profiles: %d, originals: %d, tables: %d, bytes read: %d\n", c.Profiles, c.Originals,
			c.Tables, c.Bytes)
		if rebuilt > 0 {
			fmt.Fprintf(std.out, "tables to rebuild: %d; the server does it by itself\n", rebuilt)
		}
		if left := c.Faults - rebuilt; left > 0 {
			return faultsError(left)
		}
		return nil
	}
}
