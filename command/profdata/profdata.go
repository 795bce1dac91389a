// Package profdata is proflens profdata: llvm-profdata's show, merge, overlap and order,
// with the options, output and exit statuses of LLVM 22's, so that it stands in for it in
// scripts, for profiles of every version.
package profdata

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"proflens/command/llvmargs"
	"proflens/command/llvmerr"
)

// name is what the tool calls itself in its messages.
const name = "llvm-profdata"

const usage = `usage: proflens profdata show|merge|overlap|order [options] FILE…
  merge    several profiles as one
  order    a function order that causes few page faults at start
  overlap  how alike two profiles are
  show     what is in a profile
Options and output are those of llvm-profdata 22; profiles may be of any version.
A command followed by -h lists its options.
`

// Streams are what the command reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Run does what the arguments after "proflens profdata" say, and returns the exit status.
// version is this program's.
func Run(ctx context.Context, args []string, version string, std Streams) int {
	// Most of what a command allocates is there to its end. With this, which takes no memory since
	// nobody writes to it, collecting begins behind the first 32 MB.
	unused := make([]byte, 16<<20)
	defer runtime.KeepAlive(unused)
	t := &tool{ctx: ctx, std: std, hinted: map[string]bool{}}
	defer t.close()
	err := t.run(args, version)
	if err == nil || errors.Is(err, syscall.EPIPE) { // whoever closed the pipe has what it wanted
		t.printNotes()
		return 0
	}
	wrong, isUsage := errors.AsType[commandLineError](err)
	fault, isFault := errors.AsType[*llvmerr.Fault](err)
	switch {
	case isUsage:
		fmt.Fprintln(std.Err, wrong)
	case isFault:
		fault.Print(std.Err, "error")
		t.note(fault.More)
	default:
		fmt.Fprintf(std.Err, "error: %v\n", err)
	}
	t.printNotes()
	return 1
}

// commandLineError is what is wrong with the command line, in LLVM's words.
type commandLineError string

func (e commandLineError) Error() string { return string(e) }

// tool is one call.
type tool struct {
	ctx context.Context
	std Streams
	options
	files
	names   nameFilter
	apart   bool              // a merge whose every input would have a thread of its own in LLVM
	between []*llvmerr.Fault  // in records of several of these
	remap   map[string]string // names of functions, with what they become; nil for none
	hinted  map[string]bool   // what was said of records that cannot be added
	notes   []string          // of ours, for the end: scripts read LLVM's lines
}

// printNotes prints what Proflens knows beside LLVM's words.
func (t *tool) printNotes() {
	for _, n := range t.notes {
		fmt.Fprintf(t.std.Err, "note: %s\n", n)
	}
}

// warn prints a warning about a file.
func (t *tool) warn(f *llvmerr.Fault) {
	f.Print(t.std.Err, "warning")
	t.note(f.More)
}

// note keeps what is to be said in the end, once.
func (t *tool) note(more string) {
	if more != "" && !slices.Contains(t.notes, more) {
		t.notes = append(t.notes, more)
	}
}

// commands are what there is, by name.
func commands() map[string]func(*tool) error {
	return map[string]func(*tool) error{
		"show": (*tool).show, "merge": (*tool).merge, "overlap": (*tool).overlap, "order": (*tool).order,
	}
}

// Complete is what a shell can complete a word to behind other arguments, as
// [llvmargs.Options.Complete] has it.
func Complete(args []string, word string) (list []string, files bool) {
	if len(args) == 0 {
		return llvmargs.Beginning(slices.Sorted(maps.Keys(commands())), "", word), false
	}
	return (&options{command: args[0]}).table().Complete(args[1:], word)
}

func (t *tool) run(args []string, version string) error {
	args, err := llvmargs.Expand(args)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return commandLineError(name + ": No subcommand specified! Run " + name + " --help for usage.")
	}
	switch args[0] {
	case "-h", "-help", "--help":
		_, err := io.WriteString(t.std.Out, usage)
		return err
	case "-version", "--version":
		return t.printVersion(version)
	}
	do, ok := commands()[args[0]]
	if !ok {
		return commandLineError(fmt.Sprintf("%s: Unknown subcommand '%s'.  Try: '%[1]s --help'", name, args[0]))
	}
	t.options = options{command: args[0]}
	table := t.table()
	var wrong *llvmargs.Fault
	if t.others, wrong = table.Parse(args[1:]); wrong != nil {
		return commandLineError(wrong.AsLLVM(name, table))
	}
	if t.Help {
		_, err := fmt.Fprintf(t.std.Out, "usage: proflens profdata %s [options] FILE…\n  %s\n", args[0],
			strings.Join(table.Names(), "\n  "))
		return err
	}
	if t.Version {
		return t.printVersion(version)
	}
	if len(t.Unheeded) > 0 {
		t.notes = append(t.notes, "these options change nothing here: -"+strings.Join(t.Unheeded, ", -"))
	}
	return do(t)
}

func (t *tool) printVersion(version string) error {
	_, err := io.WriteString(t.std.Out, llvmargs.Version(version))
	return err
}

// printed is what print writes, to the file that was asked for: "-" is standard output.
func (t *tool) printed(print func(w io.Writer) error) error {
	if t.Output == "-" {
		b := bufio.NewWriterSize(t.std.Out, 1<<16)
		return errors.Join(print(b), b.Flush())
	}
	f, err := os.Create(t.Output)
	if err != nil {
		return &llvmerr.Fault{Where: t.Output, Msg: llvmerr.System(err)}
	}
	b := bufio.NewWriterSize(f, 1<<16)
	return errors.Join(print(b), b.Flush(), f.Close())
}

// input is the one file of a command, which must not be written over.
func (t *tool) input() (string, []byte, error) {
	if t.others[0] == t.Output && t.Output != "-" {
		return "", nil, commandLineError(name + " " + t.command +
			": Input file name cannot be the same as the output file name!")
	}
	data, err := t.read(t.others[0], t.std.In)
	return t.others[0], data, err
}

// positionals refuses another number of files than a command takes.
func (t *tool) positionals(least, most int) error {
	wrong := func(what, bound string, n int) error {
		plural := "s"
		if n == 1 {
			plural = ""
		}
		return commandLineError(fmt.Sprintf("%s: %s\n%s %d positional argument%s: See: %[1]s --help", name, what, bound, n,
			plural))
	}
	switch n := len(t.others); {
	case n < least:
		return wrong("Not enough positional command line arguments specified!", "Must specify at least", least)
	case n > most:
		return wrong("Too many positional arguments specified!", "Can specify at most", most)
	}
	return nil
}
