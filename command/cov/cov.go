// Package cov is proflens cov: coverage on the command line, with the options and the
// output of llvm-cov 22, so that it stands in for it in scripts.
package cov

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"syscall"

	"proflens/command/llvmargs"
	"proflens/command/llvmerr"
)

// Exit statuses: of what llvm-cov refuses too, and of a wrong command line.
const (
	exitFailed = 1
	exitUsage  = 2
	exitBelow  = 4 // coverage is below what was asked for
)

const usage = `usage: proflens cov -o DIR [options] PROGRAM… PROFILE…
       proflens cov -serve [options] PROGRAM… PROFILE…
       proflens cov -min-lines=80 [options] PROGRAM… PROFILE…
       proflens cov diff|export|report|show [options] PROGRAM… PROFILE… [SOURCE…]
  -o DIR  writes pages that are read without a server: files, lines, what never ran
  -serve  serves the pages, to this machine alone, until Ctrl-C
  -min-…  without a command, prints the table of report
  diff    how the lines ran that a unified diff adds: git diff | proflens cov diff …
  export  every number as JSON, LCOV or Cobertura
  report  a table of files or functions
  show    the source with a count at every line
Options and output are those of llvm-cov 22. Profiles may also be raw, text, or several,
which are merged. The usual ones:
  -instr-profile=FILE           the profile; may be repeated; with it, arguments after the
                                program are sources, as for llvm-cov
  -object=FILE                  another program, library, object file or archive
  -format=text|lcov|cobertura   of export; of show text or html, which are pages
  -ignore-filename-regex=RE     leave files out, by a POSIX extended regular expression
  -exclude-markers              leave out what LCOV_EXCL_LINE, _START, _STOP, _BR_LINE and gcovr's
                                markers name in sources, and say how much that is
  -exclude-macros               the same for what comes from expansions of macros
  -output-dir=DIR               of show: a text file or a page for each source, and an index
  -min-lines=80                 of -o, -serve, report and diff: exit with 4 where less is
                                covered; also -min-functions, -min-regions,
                                -min-branches and -min-mcdc, not of diff
  -path-equivalence=FROM,TO     where sources lie now
  -source-url=TEMPLATE          of -o and -serve: links to the sources on another host, such as
                                https://host/org/repo/blob/{commit}/{path}#L{line}
  -label=commit=ID              fills a place of it; may be repeated
  -source-root=DIR              the directory of the build that {path} is below
  -addr=localhost:PORT          of -serve; or -port=PORT
  -q                            of -o and -serve: show no progress
  -show-branches=count -show-expansions -show-mcdc -show-regions   of show
`

// Streams are what the command reads and writes.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Open     Opener // of what serves pages
	Quiet    func() // has no progress shown; nil where none is
}

// Run does what the arguments after "proflens cov" say and returns the exit status.
// version is this program's.
func Run(ctx context.Context, args []string, version string, std Streams) int {
	stdout, stderr := std.Out, std.Err
	if len(args) == 0 {
		fmt.Fprint(stderr, usage)
		return exitUsage
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		fmt.Fprint(stdout, usage) // as llvm-cov does: cargo-llvm-cov looks there for options
		return 0
	case "-version", "--version":
		fmt.Fprint(stdout, llvmargs.Version(version))
		return 0
	}
	name, rest := args[0], args[1:]
	do, ok := commands()[name]
	asLLVM := ok && name != "diff"
	switch {
	case ok:
	case slices.ContainsFunc(args, forSite):
		name, rest, do = site, args, (*run).site
	case slices.ContainsFunc(args, forGate):
		name, rest, do = "report", args, (*run).report
	default:
		fmt.Fprintf(stderr, "error: unknown command %q; use diff, export, report or show, or -o DIR or -serve\n", name)
		return exitUsage
	}
	out := bufio.NewWriterSize(stdout, 1<<16)
	r := &run{ctx: ctx, version: version, in: std.In, out: out, terminal: stdout, err: stderr, serves: std.Open}
	defer r.close()
	defer r.printNotes()
	err := r.options.parse(name, rest)
	if err == nil && r.options.Help {
		fmt.Fprint(stdout, usage)
		return 0
	}
	if err == nil && r.options.Version {
		fmt.Fprint(stdout, llvmargs.Version(version))
		return 0
	}
	if r.options.Quiet && std.Quiet != nil {
		std.Quiet()
	}
	if r.standsIn = asLLVM; err == nil && asLLVM {
		err = r.prepare()
	}
	dumped := false
	if err == nil {
		dumped, err = r.dumped()
	}
	if err == nil && !dumped {
		err = do(r)
	}
	if flushed := out.Flush(); err == nil {
		err = flushed
	}
	gate, below := errors.AsType[gateError](err)
	line, isLine := errors.AsType[*misuse](err)
	switch wrong, usage := errors.AsType[usageError](err); {
	case err == nil, errors.Is(err, syscall.EPIPE): // whoever closed the pipe has what it wanted
		return 0
	case isLine && asLLVM:
		fmt.Fprintf(stderr, "%s\nnote: %v\n", line.llvm, line.usageError)
		return exitFailed
	case usage:
		fmt.Fprintf(stderr, "error: %v\n", wrong)
		return exitUsage
	case below:
		r.say("error", "%v", gate)
		return exitBelow
	default:
		r.say("error", "%v", err)
		if fault, ok := errors.AsType[*llvmerr.Fault](err); ok && fault.More != "" {
			fmt.Fprintf(stderr, "note: %s\n", fault.More)
		}
		return exitFailed
	}
}

// commands are what there is, by name.
func commands() map[string]func(*run) error {
	return map[string]func(*run) error{
		"diff": (*run).diff, "export": (*run).export, "report": (*run).report, "show": (*run).show,
	}
}

// Complete is what a shell can complete a word to behind other arguments, as
// [llvmargs.Options.Complete] has it.
func Complete(args []string, word string) (list []string, files bool) {
	var o options
	if len(args) > 0 && commands()[args[0]] != nil {
		return o.table(args[0]).Complete(args[1:], word)
	}
	list, files = o.table(site).Complete(args, word)
	if len(args) == 0 {
		list = append(list, llvmargs.Beginning(slices.Sorted(maps.Keys(commands())), "", word)...)
	}
	return list, files
}

// usageError is a wrong command line.
type usageError string

func (e usageError) Error() string { return string(e) }

// misuse is a wrong command line that llvm-cov refuses too: in its words, and in ours.
type misuse struct {
	llvm string
	usageError
}

// Unwrap is what those are told who did not call llvm-cov's commands.
func (m *misuse) Unwrap() error { return m.usageError }

// run is one call of the command.
type run struct {
	in       io.Reader
	ctx      context.Context
	version  string
	out      io.Writer
	terminal io.Writer // what out writes to, which may be one
	err      io.Writer
	serves   Opener
	options  options
	standsIn bool                // for llvm-cov
	leftOut  string              // what was left out on request
	paths    []string            // of sources that the arguments mean, once these are sorted
	demangle func(string) string // nil for names as they are
	allowed  func(string) bool   // names of -name-allowlist; nil for no list that can be read
	notes    []string            // for the end
	inputs
}

// note tells what LLVM does not: at the end where this stands in for its tool, whose lines scripts
// read, and at once elsewhere.
func (r *run) note(format string, args ...any) {
	if !r.standsIn {
		r.warn(format, args...)
	} else if n := fmt.Sprintf(format, args...); !slices.Contains(r.notes, n) {
		r.notes = append(r.notes, n)
	}
}

func (r *run) printNotes() {
	for _, n := range r.notes {
		fmt.Fprintf(r.err, "note: %s\n", n)
	}
}

func (r *run) warn(format string, args ...any) { r.say("warning", format, args...) }

// say tells what is wrong, in red where colours are on.
func (r *run) say(how, format string, args ...any) {
	on, off := "", ""
	if r.colours() {
		on, off = "\x1b[0;31m", "\x1b[0m"
	}
	fmt.Fprintf(r.err, on+how+": "+format+"\n"+off, args...)
}
