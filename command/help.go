package command

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is how many columns the help has.
const helpWidth = 80

// help prints how a command is used. Those that stand in for a tool of LLVM's have their own.
func help(c *cobra.Command, w io.Writer) {
	if c.DisableFlagParsing {
		_ = c.RunE(c, []string{"-h"}) // it cannot fail
		return
	}
	fmt.Fprintf(w, "usage: %s\n%s\n", c.UseLine(), describe(c))
	group := "-"
	for _, sub := range c.Commands() {
		if sub.GroupID != group {
			group = sub.GroupID
			fmt.Fprintf(w, "\n%s:\n", cmp.Or(group, "Commands"))
		}
		fmt.Fprintf(w, "  %-14s %s\n", sub.Name(), sub.Short)
	}
	if flags := flagUsages(c.Flags()); flags != "" {
		fmt.Fprintf(w, "\nFlags:\n%s", flags)
	}
	if c.HasSubCommands() {
		fmt.Fprintln(w, "\nCOMMAND -h lists a command's flags; they stand before or after files.")
	}
	if _, has := c.Annotations[envPrefix]; has {
		fmt.Fprintf(w, "\n%s\n", envHelp(c))
	}
}

// envHelp says what the environment can set, by one of the command's own flags.
func envHelp(c *cobra.Command) string {
	flag := "q"
	for _, name := range []string{"o", "server", "data"} { // the last that it has
		if c.Flags().Lookup(name) != nil {
			flag = name
		}
	}
	return "Each flag is also an environment variable: " + envName(flag) + " for -" + flag + "."
}

// describe is what a command is for.
func describe(c *cobra.Command) string {
	does := strings.ToUpper(c.Short[:1]) + c.Short[1:] + "."
	if c.Long != "" {
		does += "\n\n" + strings.TrimSpace(c.Long)
	}
	return does
}

// flagUsages are the flags with one dash, as they are told everywhere.
func flagUsages(flags *pflag.FlagSet) string {
	const indent, value = "     ", "[=true|false]" // which the library prints, too
	text := strings.NewReplacer("\n"+indent+" --", "\n  -", "\n"+indent, "\n", value, strings.Repeat(" ", len(value))).
		Replace("\n" + flags.FlagUsagesWrapped(helpWidth+len(indent)))
	return text[1:]
}
