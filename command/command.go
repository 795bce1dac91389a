// Package command is the command line: one file a subcommand, and serve among them.
package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

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

// command is one subcommand: it gets its own arguments and returns an error
// that exitStatus understands.
type command struct {
	name, does string
	run        func(ctx context.Context, args []string, std stdio) error
	long       bool // it may take minutes, and shows how far it is
}

// stdio is the three streams of a process, so that tests can pass their own.
type stdio struct {
	in       io.Reader
	out, err io.Writer
	line     *progressLine // of a long command
}

// usageError is a wrong command line.
type usageError struct{ msg string }

func (e usageError) Error() string { return e.msg }

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

// run picks the subcommand, serve when there is none, and turns its error into
// an exit status and one line on standard error.
func run(ctx context.Context, args []string, std stdio) int {
	name := "serve"
	if len(args) == 1 && slices.Contains([]string{"help", "-h", "-help", "--help"}, args[0]) {
		usage(std.err)
		return exitOK
	}
	if len(args) > 0 && (args[0] == "" || args[0][0] != '-') {
		name, args = args[0], args[1:]
	}
	isName := func(c command) bool { return c.name == name }
	at := slices.IndexFunc(commands, isName)
	if info, err := os.Stat(name); at < 0 && err == nil && !info.IsDir() {
		args, name = slices.Insert(args, 0, name), "open"
		at = slices.IndexFunc(commands, isName)
	}
	if at < 0 {
		fmt.Fprintf(std.err, "proflens: unknown command %q, and no file of that name\n", name)
		usage(std.err)
		return exitUsage
	}
	err := commands[at].start(ctx, args, std)
	if _, told := errors.AsType[exited](err); err != nil && !told && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(std.err, "proflens: %v\n", err)
	}
	return exitStatus(err)
}

// start runs the command, with a line that says how far it is where somebody watches.
func (c *command) start(ctx context.Context, args []string, std stdio) error {
	if !c.long {
		return c.run(ctx, args, std)
	}
	line := &progressLine{to: std.err}
	if !showsLine(std.err, os.Getenv) {
		std.line = line
		return c.run(ctx, args, std)
	}
	ctx, stop := line.watch(ctx)
	defer stop()
	return c.run(ctx, args, std.withLine(line))
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "usage: proflens [COMMAND] [flags], or proflens FILE…; commands:")
	for _, c := range commands {
		fmt.Fprintf(w, "  %-8s %s\n", c.name, c.does)
	}
	fmt.Fprintln(w, "proflens COMMAND -h lists a command's flags.")
}
