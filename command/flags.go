package command

import (
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"strconv"
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
		if value == "" || err != nil || f.Name == "listen" || f.Name == "port" {
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

// addrFlags are -addr and what it is called elsewhere: -listen, and -port for its port alone.
// These are not taken from the environment, where PROFLENS_PORT is an address that
// Kubernetes gives a service of that name.
func addrFlags(fs *flag.FlagSet, addr *string, usage string) {
	fs.StringVar(addr, "addr", *addr, usage)
	fs.Func("listen", "same as -addr: `address`", func(value string) error {
		*addr = value
		return nil
	})
	fs.Func("port", "port `number` of -addr", func(value string) error {
		if _, err := strconv.ParseUint(value, 10, 16); err != nil {
			return errors.New("use a number up to 65535")
		}
		host, _, err := net.SplitHostPort(*addr)
		*addr = net.JoinHostPort(host, value)
		return err
	})
}

func envName(flag string) string {
	return "PROFLENS_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}
