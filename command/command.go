// Package command is the command line: one file a subcommand, and serve among them.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"proflens/ingest/confine"
)

// Exit statuses that scripts rely on.
const (
	exitOK        = 0
	exitMalformed = 1 // the input is malformed or unsupported, or a check found faults
	exitUsage     = 2
	exitIO        = 3
	exitGate      = 4 // a gate fails
)

// command is one subcommand.
type command struct {
	name, does string
	// declare gives it its flags, says which arguments it takes, and returns what it does.
	declare func(c *cobra.Command) runner
	traits  traits
}

// runner does what a command is for, with the arguments that are no flags, and returns an
// error that exitStatus understands.
type runner func(ctx context.Context, args []string, std stdio) error

// traits are what commands have in common.
type traits uint8

const (
	long    traits = 1 << iota // it may take minutes, and shows how far it is
	withEnv                    // its flags are taken from the environment, too
	asLLVM                     // its arguments are those of a tool of LLVM's, and read as that does
)

// stdio is the three streams of a process, so that tests can pass their own.
type stdio struct {
	in       io.Reader
	out, err io.Writer
	line     *progressLine // of a long command
}

// usageError is a wrong command line.
type usageError struct{ msg string }

func (e usageError) Error() string { return e.msg }

// misused is a usageError, as Sprintf writes it.
func misused(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// Main runs the subcommand of the process's arguments and returns its exit status.
func Main() int {
	if confine.IsChild() {
		return confine.Child()
	}
	return run(untilSignal(context.Background()), calledAs(os.Args),
		stdio{in: os.Stdin, out: os.Stdout, err: os.Stderr})
}

// standsIn are the tools that the program is when it is called by their names, as by a link.
var standsIn = map[string]string{"llvm-profdata": "profdata", "llvm-cov": "cov"}

// calledAs are the arguments of a process, behind the command that it was called as.
func calledAs(args []string) []string {
	name := strings.TrimSuffix(filepath.Base(args[0]), ".exe")
	if c := standsIn[strings.TrimRight(name, "-.0123456789")]; c != "" {
		return append([]string{c}, args[1:]...)
	}
	return args[1:]
}

// run runs a command line, and turns its error into an exit status and a line on standard
// error.
func run(ctx context.Context, args []string, std stdio) int {
	root := program(std)
	args, err := readable(root, args, std)
	if err == nil {
		root.SetArgs(args)
		err = root.ExecuteContext(ctx)
	}
	if _, told := errors.AsType[exited](err); err != nil && !told {
		fmt.Fprintf(std.err, "proflens: %v\n", err)
	}
	return exitStatus(err)
}

func init() {
	cobra.MousetrapHelpText = "" // who opens the program from a folder wants the server
	cobra.EnableCommandSorting = false
}

// program is the command line as a tree of commands.
func program(std stdio) *cobra.Command {
	root := &cobra.Command{
		Use: "proflens [COMMAND] [flags] | proflens FILE…", Short: "a profile explorer",
		SilenceErrors: true, SilenceUsage: true, SuggestionsMinimumDistance: 2,
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault),
	}
	root.PersistentFlags().Bool("help", false, "")
	_ = root.PersistentFlags().MarkHidden("help") // it is there
	root.SetOut(std.out)
	root.SetErr(std.err)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { help(c, std.err) })
	root.SetFlagErrorFunc(flagError)
	all := groups()
	for _, g := range all {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title})
		for i := range g.commands {
			c := g.commands[i].build(std)
			c.GroupID = g.title
			root.AddCommand(c)
		}
	}
	root.SetHelpCommandGroupID(all[len(all)-1].title)
	root.InitDefaultHelpCmd()
	list := root.Commands()
	list[len(list)-1].Short = "show this, or the help of a command"
	return root
}

// build declares a command.
func (d *command) build(std stdio) *cobra.Command {
	c := &cobra.Command{Use: d.name, Short: d.does, DisableFlagParsing: d.traits&asLLVM != 0}
	run := d.declare(c)
	for i := range subcommands[d.name] {
		c.AddCommand(subcommands[d.name][i].build(std))
	}
	if d.traits&withEnv != 0 {
		c.Annotations = map[string]string{envPrefix: ""}
	}
	if d.traits&long != 0 {
		std.line = &progressLine{to: std.err}
		if !c.DisableFlagParsing {
			std.line.flag(c.Flags())
		}
	}
	completeFlags(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		if std.line == nil || !showsLine(std.err, os.Getenv) {
			return run(c.Context(), args, std)
		}
		ctx, stop := std.line.watch(c.Context())
		defer stop()
		return run(ctx, args, std.withLine(std.line))
	}
	return c
}

// readable is a command line as the library reads it: behind its command, which is serve
// before flags alone and open before files, and with two dashes before flags. Flags that the
// environment has are set.
func readable(root *cobra.Command, args []string, std stdio) ([]string, error) {
	asked := []string{cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}
	if len(args) > 1 && slices.Contains(asked, args[0]) { // by a shell
		return completable(root, args, std), nil
	}
	if len(args) == 1 && slices.Contains([]string{"-h", "-help", "--help"}, args[0]) {
		return []string{"help"}, nil
	}
	if len(args) > 1 && args[0] == "help" {
		args = append(slices.Clone(args[1:]), "-h")
	}
	args = behindCommand(root, args)
	c, rest, err := root.Find(args)
	if err != nil || c == root {
		near := ""
		if names := root.SuggestionsFor(args[0]); len(names) > 0 {
			near = fmt.Sprintf("; did you mean %q?", names[0])
		}
		help(root, std.err)
		return nil, misused("unknown command %q, and no file of that name%s", args[0], near)
	}
	if c.DisableFlagParsing {
		return args, nil
	}
	args = append(strings.Fields(c.CommandPath())[1:], twoDashes(c.Flags(), rest)...)
	if below, _, err := root.Find(args); err == nil && below != c { // it stands behind flags
		return readable(root, args, std)
	}
	return args, fromEnv(c)
}

// behindCommand puts the command before arguments that begin with a flag or a file.
func behindCommand(root *cobra.Command, args []string) []string {
	if len(args) == 0 || args[0] != "" && args[0][0] == '-' {
		name := "serve"
		open, _, _ := root.Find([]string{"open"})
		if f := open.Flags(); f.Parse(twoDashes(f, args)) == nil && f.NArg() > 0 {
			name = "open"
		}
		return slices.Insert(slices.Clone(args), 0, name)
	}
	if c, _, err := root.Find(args[:1]); err == nil && c != root {
		return args
	}
	if info, err := os.Stat(args[0]); err == nil && !info.IsDir() {
		return slices.Insert(slices.Clone(args), 0, "open")
	}
	return args
}

// titled is a command's name, behind that of the one it is below.
func titled(c *cobra.Command) string { return strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ") }

// noArguments has a command take flags alone.
func noArguments(c *cobra.Command) {
	c.ValidArgsFunction = cobra.NoFileCompletions
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return misused("%s takes no argument, got %q", titled(c), args[0])
		}
		return nil
	}
}

// exactly has a command take one argument, which a shell completes so.
func exactly(c *cobra.Command, name, what string, complete cobra.CompletionFunc) {
	c.Use += " " + name
	c.ValidArgsFunction = complete
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) != 1 {
			return misused("%s takes one %s, got %q", titled(c), what, args)
		}
		return nil
	}
}

// someFiles has a command take one file or more.
func someFiles(c *cobra.Command) {
	c.Use += " FILE…"
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usageError{c.Name() + ": no files"}
		}
		return nil
	}
}
