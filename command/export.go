package command

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/profile/exports"
	"proflens/profile/stored"
	"proflens/profile/tables"
)

// runExport decodes files into one profile and writes it in another format.
func runExport(ctx context.Context, args []string, std stdio) error {
	fs := newFlagSet("export", "-f FORMAT [-o FILE] [-weighted FILE=N]… [-salvage] FILE…", std)
	name := fs.String("f", "", "format: "+strings.Join(exports.Names(), ", "))
	out := fs.String("o", "-", "write to `FILE`; - is standard output")
	given := optionFlags(fs, exports.AllOptions)
	salvage := fs.Bool("salvage", false,
		"decode the readable beginning of truncated raw profiles; marks the output partial if the format allows")
	var weighted weightFlag
	fs.Var(&weighted, "weighted", "multiply the counts of a file: `FILE=N`; may be repeated")
	if err := parseArgs(fs, args); err != nil {
		return err
	}
	e, err := exports.Find(*name)
	if err != nil {
		return usageError{"export: " + err.Error()}
	}
	options, err := given(e)
	if err != nil {
		return err
	}
	names := weighted.inputs(fs.Args())
	if len(names) == 0 {
		return usageError{"export: no files"}
	}
	in, err := readInputs(ctx, names, weighted.weights, std.in)
	if err != nil {
		return named(err)
	}
	defer in.Close()
	p, err := decode.Open(ctx, in.together(), format.Options{
		Salvage: *salvage, Progress: func(done, of uint64) { stored.ReportBytes(ctx, "Decoding", int(done), int(of)) },
	})
	if err != nil {
		return named(e.Unlike(err))
	}
	if err := weighted.heeded(p.Inputs); err != nil {
		return err
	}
	stored.Report(ctx, "Writing", 0, 0)
	stdout := std.out
	if e.IsText() {
		stdout = onScreen(stdout)
	}
	findings, err := export(ctx, e, p, in.Files, options, *out, stdout)
	if wrong, ok := errors.AsType[*exports.OptionError](err); ok {
		return usageError{fmt.Sprintf("export: -%s: %s", wrong.Name, wrong.Msg)}
	}
	if errors.Is(err, syscall.EPIPE) {
		err = nil // whoever closed the pipe, like head, has what it wanted
	}
	warn(std.err, p.Findings())
	warn(std.err, of(findings, in.Files))
	return named(nameFault(err, in.Files))
}

// export writes a profile to a file, and returns findings of the writing.
func export(ctx context.Context, e *exports.Export, p *format.Profile, files []format.File, o exports.Options,
	out string, stdout io.Writer) ([]model.Finding, error) {
	if e.Of != "" {
		if e.Of != exports.SQLite {
			t, err := tables.Find(p.Info.Families, o["table"])
			if err != nil {
				return nil, usageError{"export: " + err.Error()}
			}
			if fault := p.Faults[t.Family]; fault != nil {
				return nil, fault
			}
		}
		return nil, writeOutput(out, stdout, func(w io.Writer) error {
			if written, err := e.WriteTable(ctx, w, p, o); written || err != nil {
				return err
			}
			return withTables(ctx, files, p, func(ctx context.Context, dir string, p *stored.Profile) error {
				return e.WriteTables(ctx, w, p, dir, o)
			})
		})
	}
	plan, err := e.Plan(p, o)
	if err != nil {
		return nil, err
	}
	findings := plan.Findings
	if plan.Nothing != "" {
		findings = append(findings, model.Finding{Severity: model.Warning, Code: "export.nothing", Message: plan.Nothing})
	}
	err = writeOutput(out, stdout, func(w io.Writer) error {
		more, err := plan.Write(w)
		findings = append(findings, more...)
		return err
	})
	return findings, err
}

// optionFlags makes flags of options of exports. Once they are parsed,
// the function it returns gives those that were set, or an error for one that is
// not of the export.
func optionFlags(fs *flag.FlagSet, options []exports.Option) func(e *exports.Export) (exports.Options, error) {
	for _, o := range options {
		switch o.Kind {
		case exports.Yes:
			fs.Bool(o.Name, false, o.Does)
		case exports.Number:
			fs.Int(o.Name, 0, o.Does)
		default:
			usual := ""
			if len(o.Word) > 0 {
				usual = o.Word[0]
			}
			fs.String(o.Name, usual, o.Does)
		}
	}
	return func(e *exports.Export) (exports.Options, error) {
		given := exports.Options{}
		var err error
		fs.Visit(func(f *flag.Flag) {
			if !slices.ContainsFunc(options, func(o exports.Option) bool { return o.Name == f.Name }) {
				return
			}
			if given[f.Name] = f.Value.String(); !e.Takes(f.Name) {
				err = usageError{
					fmt.Sprintf("%s: -%s applies to %s, not to %s", fs.Name(), f.Name, strings.Join(taking(f.Name), ", "), e.Name),
				}
			}
		})
		return given, err
	}
}

// taking are the exports that take an option.
func taking(option string) []string {
	var list []string
	for i := range exports.All {
		if exports.All[i].Takes(option) {
			list = append(list, exports.All[i].Name)
		}
	}
	return list
}

// of gives findings about a whole profile its only file's name, or the first
// one's and how many more there are.
func of(findings []model.Finding, files []format.File) []model.Finding {
	named := slices.Clone(findings)
	for i := range named {
		named[i].File = files[0].Name
		if more := len(files) - 1; more > 0 {
			named[i].File += fmt.Sprintf(" and %d more", more)
		}
	}
	return named
}

// nameFault gives a fault that an encoder found the only file it can be in.
func nameFault(err error, files []format.File) error {
	fault, ok := errors.AsType[*model.FormatError](err)
	if !ok || fault.File != "" || len(files) != 1 {
		return err
	}
	return fmt.Errorf("%s: %w", files[0].Name, err)
}

// warn prints warnings and notes, a line each.
func warn(w io.Writer, findings []model.Finding) {
	for _, f := range findings {
		if f.Severity != model.Error {
			fmt.Fprintf(w, "proflens: %s: %s: %s\n", f.File, f.Severity, f.Message)
		}
	}
}

// writeOutput runs write on standard output or on a file, which appears only
// when it is whole. What is there and no plain file, such as /dev/null or a
// pipe, is written to and stays.
func writeOutput(name string, stdout io.Writer, write func(io.Writer) error) error {
	if name == "-" {
		return buffered(stdout, write)
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(buffered(f, write), f.Close())
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), ".proflens-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // gone already once renamed
	err = write(tmp)
	if err == nil {
		err = tmp.Chmod(0o644)
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), name)
}

func buffered(out io.Writer, write func(io.Writer) error) error {
	w := bufio.NewWriterSize(out, 1<<16)
	if err := write(w); err != nil {
		return err
	}
	return w.Flush()
}

// newFlagSet is a subcommand's flags, with its usage line.
func newFlagSet(name, usage string, std stdio) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(std.err)
	fs.Usage = func() {
		fmt.Fprintf(std.err, "usage: proflens %s %s\n", name, usage)
		fs.PrintDefaults()
	}
	if std.line != nil {
		std.line.flag(fs)
	}
	return fs
}

// parseArgs parses the flags of a command that takes none from the environment.
// A wrong one is an error of one line; package flag alone would print it, and
// every flag after it.
func parseArgs(fs *flag.FlagSet, args []string) error {
	out, help := fs.Output(), fs.Usage
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	err := fs.Parse(args)
	fs.SetOutput(out)
	if errors.Is(err, flag.ErrHelp) {
		help()
		return err
	}
	if err != nil {
		return usageError{fmt.Sprintf("%s: %v; proflens %[1]s -h lists the flags", fs.Name(), err)}
	}
	return nil
}
