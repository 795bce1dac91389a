package command

import (
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// envPrefix is how the variables begin that flags are taken from.
const envPrefix = "PROFLENS_"

// aliases are the other names of -addr, and what all commands have. They are not taken from
// the environment, where PROFLENS_PORT is an address that Kubernetes gives a service of that
// name.
var aliases = []string{"listen", "port", "help"}

// fromEnv sets the flags of a command that the environment has, before those of the command
// line, which win: each is also PROFLENS_ and its name in capitals, with _ for -.
func fromEnv(c *cobra.Command) (err error) {
	if _, does := c.Annotations[envPrefix]; !does {
		return nil
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		name := envName(f.Name)
		value := os.Getenv(name)
		if value == "" || err != nil || slices.Contains(aliases, f.Name) {
			return
		}
		if wrong := f.Value.Set(value); wrong != nil {
			err = misused("%s=%q: %v", name, value, wrong)
		}
	})
	return err
}

func envName(flag string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// twoDashes gives every flag two dashes, since the library takes one before a word for
// flags of a letter each. Values stay as they are, and so does what follows "--".
func twoDashes(flags *pflag.FlagSet, args []string) []string {
	args = slices.Clone(args)
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		name := strings.TrimPrefix(strings.TrimPrefix(args[i], "-"), "-")
		if name == "" || name == args[i] {
			continue
		}
		if name == "h" {
			name = "help"
		}
		args[i] = "--" + name
		if f := flags.Lookup(name); f != nil && f.NoOptDefVal == "" {
			i++
		}
	}
	return args
}

// flagError is what is wrong with a flag, in a line.
func flagError(c *cobra.Command, err error) error {
	said, near := strings.NewReplacer("flag: --", "flag: -", "argument: --", "argument: -").Replace(err.Error()), ""
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		near = nearestFlag(c.Flags(), e.GetSpecifiedName())
	} else if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		said = fmt.Sprintf("invalid value %q for flag -%s: %v", e.GetValue(), e.GetFlag().Name, e.Unwrap())
	}
	return misused("%s: %s; %s%s -h lists the flags", titled(c), said, near, c.CommandPath())
}

// nearestFlag asks whether the flag was meant that differs least from what was given.
func nearestFlag(flags *pflag.FlagSet, given string) (question string) {
	const longest = 64
	given = given[:min(len(given), longest)]
	least := len(given)/2 + 1
	flags.VisitAll(func(f *pflag.Flag) {
		if d := levenshtein.ComputeDistance(given, f.Name); d < least {
			least, question = d, fmt.Sprintf("did you mean -%s? ", f.Name)
		}
	})
	return question
}

// addrFlags are -addr and what it is called elsewhere: -listen, and -port for its port alone.
func addrFlags(fs *pflag.FlagSet, addr *string, usage string) {
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

// choice is a flag whose value is one of some words.
type choice struct {
	to    *string
	words []string
}

// choiceVar declares one, whose default is what it is now.
func choiceVar(fs *pflag.FlagSet, to *string, name string, words []string, usage string) {
	fs.Var(choice{to, words}, name, usage)
	offer(fs, name, words...)
}

// Set takes one of the words.
func (c choice) Set(text string) error {
	if !slices.Contains(c.words, text) {
		return errors.New("use one of " + strings.Join(c.words, ", "))
	}
	*c.to = text
	return nil
}

// String is the word.
func (c choice) String() string { return *c.to }

// Type is "string", whose default is shown in quotes.
func (choice) Type() string { return "string" }
