package command

import (
	"context"
	"flag"
	"fmt"

	"proflens/catalog"
)

// dataFlag is the flag of the commands that look after a data folder.
func dataFlag(fs *flag.FlagSet) *string {
	return fs.String("data", "./proflens-data", "data `folder`")
}

func parseData(name string, args []string, std stdio) (string, error) {
	fs := newFlagSet(name, "[-data FOLDER]", std)
	data := dataFlag(fs)
	if err := parseWithEnv(fs, args); err != nil {
		return "", err
	}
	if fs.NArg() > 0 {
		return "", usageError{fmt.Sprintf("%s takes no argument, got %q", name, fs.Arg(0))}
	}
	return *data, nil
}

// faultsError is a data folder in which something is wrong.
type faultsError int

func (n faultsError) Error() string {
	return fmt.Sprintf("faults that are left: %d", int(n))
}

// runCheck reads a data folder through and says what is wrong. A server may be at
// work there.
func runCheck(ctx context.Context, args []string, std stdio) error {
	dir, err := parseData("check", args, std)
	if err != nil {
		return err
	}
	c, err := catalog.Check(ctx, dir, func(f catalog.Fault) { fmt.Fprintln(std.out, f) })
	if err != nil {
		return err
	}
	fmt.Fprintf(std.out, "profiles: %d, originals: %d, tables: %d, bytes read: %d\n", c.Profiles, c.Originals, c.Tables, c.Bytes)
	if c.Faults > 0 {
		return faultsError(c.Faults)
	}
	return nil
}
