package command

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

// parseWithEnv parses the flags of a command that takes them from the
// environment too: each is also PROFLENS_ and its name in capitals, with _ for
// -. The command line wins.
func parseWithEnv(fs *flag.FlagSet, args []string) error {
	var err error
	fs.VisitAll(func(f *flag.Flag) {
		name := envName(f.Name)
		value := os.Getenv(name)
		if value == "" || err != nil {
			return
		}
		if e := fs.Set(f.Name, value); e != nil {
			err = usageError{fmt.Sprintf("%s=%q: %v", name, value, e)}
		}
	})
	if err != nil {
		return err
	}
	return parseArgs(fs, args)
}

func envName(flag string) string {
	return "PROFLENS_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}
