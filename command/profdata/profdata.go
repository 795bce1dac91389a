// Package profdata is proflens profdata: llvm-profdata's show, merge, overlap and order,
// with the options, output and exit statuses of LLVM 22's, so that it stands in for it in
// scripts, for profiles of every version.
package profdata

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"syscall"

	"proflens/command/llvmargs"
	"proflens/decode/model"
)

// name is what the tool calls itself in its messages.
const name = "llvm-profdata"

const usage = `OVERVIEW: LLVM profile data

USAGE: llvm-profdata [subcommand] [options]

SUBCOMMANDS:

  merge   - Merge several profiles into one
  order   - Print a function order that causes few page faults at start
  overlap - Print how alike two profiles are
  show    - Print what is in a profile

  Type "proflens profdata <subcommand> --help" to get more help on a specific subcommand
  Options and output are those of LLVM 22; input is a profile of any version.
`

// Streams are what the command reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Run does what the arguments after "proflens profdata" say, and returns the exit status.
// version is this program's.
func Run(ctx context.Context, args []string, version string, std Streams) int {
	t := &tool{ctx: ctx, std: std}
	defer t.close()
	err := t.run(args, version)
	if err == nil || errors.Is(err, syscall.EPIPE) { // whoever closed the pipe has what it wanted
		t.printNotes()
		return 0
	}
	wrong, isUsage := errors.AsType[*llvmargs.Error](err)
	fault, isFault := errors.AsType[*fault](err)
	switch {
	case isUsage:
		fmt.Fprintln(std.Err, wrong.Msg)
	case isFault:
		fault.print(std.Err, "error")
		t.note(fault)
	default:
		fmt.Fprintf(std.Err, "error: %v\n", err)
	}
	t.printNotes()
	return 1
}

// tool is one call.
type tool struct {
	ctx context.Context
	std Streams
	options
	files
	hinted map[model.Kind]bool // what was said what to do about
	notes  []string            // of ours, for the end: scripts read LLVM's lines
}

// printNotes prints what Proflens knows beside LLVM's words.
func (t *tool) printNotes() {
	for _, n := range t.notes {
		fmt.Fprintf(t.std.Err, "note: %s\n", n)
	}
}

// warn prints a warning about a file.
func (t *tool) warn(f *fault) {
	f.print(t.std.Err, "warning")
	t.note(f)
}

func (t *tool) note(f *fault) {
	if f.More != "" && !slices.Contains(t.notes, f.More) {
		t.notes = append(t.notes, f.More)
	}
}

func (t *tool) run(args []string, version string) error {
	args, err := llvmargs.Expand(args)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return &llvmargs.Error{Msg: name + ": No subcommand specified! Run " + name + " --help for usage."}
	}
	commands := map[string]func() error{"show": t.show, "merge": t.merge, "overlap": t.overlap, "order": t.order}
	switch args[0] {
	case "-h", "-help", "--help":
		_, err := io.WriteString(t.std.Out, usage)
		return err
	case "-version", "--version":
		_, err := fmt.Fprintf(t.std.Out, "Proflens %s, in the place of LLVM version 22\n", version)
		return err
	}
	do, ok := commands[args[0]]
	if !ok {
		return &llvmargs.Error{Msg: fmt.Sprintf("%s: Unknown subcommand '%s'.  Try: '%[1]s --help'", name, args[0])}
	}
	if t.others, err = llvmargs.Parse(name, t.table(args[0]), args[1:]); err != nil {
		return err
	}
	if t.help {
		return t.helpOf(args[0])
	}
	return do()
}

// printed is what print writes, to the file that was asked for: "-" is standard output.
func (t *tool) printed(print func(w io.Writer) error) error {
	if t.output == "-" {
		b := bufio.NewWriterSize(t.std.Out, 1<<16)
		return errors.Join(print(b), b.Flush())
	}
	f, err := os.Create(t.output)
	if err != nil {
		return &fault{Where: t.output, Msg: system(err)}
	}
	b := bufio.NewWriterSize(f, 1<<16)
	return errors.Join(print(b), b.Flush(), f.Close())
}

// input is the one file of a command, which must not be written over.
func (t *tool) input() (string, []byte, error) {
	if t.others[0] == t.output && t.output != "-" {
		return "", nil, &llvmargs.Error{
			Msg: name + " " + t.command + ": Input file name cannot be the same as the output file name!",
		}
	}
	data, err := t.read(t.others[0], t.std.In)
	return t.others[0], data, err
}

// positionals refuses another number of files than one or two commands take.
func (t *tool) positionals(least, most int) error {
	switch n := len(t.others); {
	case n < least && least == 1:
		return &llvmargs.Error{Msg: name + ": Not enough positional command line arguments specified!\n" +
			"Must specify at least 1 positional argument: See: " + name + " --help"}
	case n < least:
		return &llvmargs.Error{Msg: fmt.Sprintf("%s: Not enough positional command line arguments specified!\n"+
			"Must specify at least %d positional arguments: See: %[1]s --help", name, least)}
	case n > most:
		return &llvmargs.Error{Msg: fmt.Sprintf("%s: Too many positional arguments specified!\n"+
			"Can specify at most %d positional arguments: See: %[1]s --help", name, most)}
	}
	return nil
}

// helpOf lists the options of a command.
func (t *tool) helpOf(command string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "OVERVIEW: LLVM profile data\n\nUSAGE: llvm-profdata %s [options] FILE...\n\nOPTIONS:\n\n", command)
	for _, option := range t.table(command).Names() {
		fmt.Fprintf(&b, "  %s\n", option)
	}
	_, err := b.WriteTo(t.std.Out)
	return err
}
