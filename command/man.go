package command

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manCommand writes manual pages of all commands, from what their help is made of.
func manCommand(c *cobra.Command) runner {
	exactly(c, "FOLDER", "folder", folders)
	return func(_ context.Context, args []string, _ stdio) error {
		var said bytes.Buffer
		if err := os.MkdirAll(args[0], 0o755); err != nil {
			return err
		}
		return manPages(program(stdio{out: &said, err: &said}), &said, args[0])
	}
}

// manPages writes the pages of a command and those below it to a folder. What they print
// is said.
func manPages(c *cobra.Command, said *bytes.Buffer, dir string) error {
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	err := writeOutput(filepath.Join(dir, name+".1"), nil, func(w io.Writer) error {
		b := &bytes.Buffer{}
		manPage(b, c, name, said)
		_, err := w.Write(b.Bytes())
		return err
	})
	for _, sub := range c.Commands() {
		if err == nil && sub.Name() != "help" {
			err = manPages(sub, said, dir)
		}
	}
	return err
}

func manPage(b *bytes.Buffer, c *cobra.Command, name string, said *bytes.Buffer) {
	fmt.Fprintf(b, ".TH %s 1 \"\" \"proflens %s\"\n.SH NAME\n%s \\- %s\n", strings.ToUpper(roff(name)),
		roff(programVersion()), roff(name), roff(c.Short))
	fmt.Fprintf(b, ".SH SYNOPSIS\n\\fB%s\\fR%s\n", roff(c.CommandPath()),
		roff(strings.TrimPrefix(c.UseLine(), c.CommandPath())))
	text := describe(c)
	if c.DisableFlagParsing {
		said.Reset()
		help(c, said)
		text = said.String()
	}
	fmt.Fprintf(b, ".SH DESCRIPTION\n.nf\n%s\n.fi\n", roff(text))
	if c.HasAvailableFlags() {
		b.WriteString(".SH OPTIONS\nThey may stand before files or after them.\n")
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if value, usage := pflag.UnquoteUsage(f); !f.Hidden {
			if !slices.Contains([]string{"", "0", "0s", "false", "[]"}, f.DefValue) {
				usage += fmt.Sprintf(" (default %s)", f.DefValue)
			}
			fmt.Fprintf(b, ".TP\n\\fB%s\\fR \\fI%s\\fR\n%s\n", roff("-"+f.Name), roff(value), roff(usage))
		}
	})
	if _, has := c.Annotations[envPrefix]; has {
		fmt.Fprintf(b, ".SH ENVIRONMENT\n%s\n", roff(envHelp(c)))
	}
	b.WriteString(".SH SEE ALSO\n")
	others := c.Commands()
	if c.HasParent() {
		others = []*cobra.Command{c.Parent()}
	}
	for _, o := range others {
		if o.Name() != "help" {
			fmt.Fprintf(b, ".BR %s (1)\n", roff(strings.ReplaceAll(o.CommandPath(), " ", "-")))
		}
	}
}

// roff is text with nothing that a manual page would obey.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "…", "...", "\n.", "\n\\&.").Replace(text)
	if strings.HasPrefix(text, ".") {
		return `\&` + text
	}
	return text
}
