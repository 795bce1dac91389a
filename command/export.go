package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/profile/exports"
	"proflens/profile/stored"
	"proflens/profile/tables"
)

// exportConfig is the flags of "proflens export".
type exportConfig struct {
	format, out string
	salvage     bool
	weighted    weightFlag
	options     func(e *exports.Export) (exports.Options, error)
}

// exportCommand decodes files into one profile and writes it in another format.
func exportCommand(c *cobra.Command) runner {
	c.Use += " -f FORMAT FILE…"
	o, fs := &exportConfig{}, c.Flags()
	fs.StringVarP(&o.format, "f", "f", "", "`format`: "+strings.Join(exports.Names(), ", "))
	offer(fs, "f", exports.Names()...)
	fs.StringVarP(&o.out, "o", "o", "-", "write to `FILE`; - is standard output")
	o.options = optionFlags(c, exports.AllOptions)
	fs.BoolVar(&o.salvage, "salvage", false,
		"decode the readable beginning of truncated raw profiles; marks the output partial if the format allows")
	fs.Var(&o.weighted, "weighted", "multiply the counts of a file: `FILE=N`; may be repeated")
	return o.export
}

func (o *exportConfig) export(ctx context.Context, args []string, std stdio) error {
	e, err := exports.Find(o.format)
	if err != nil {
		return usageError{"export: " + err.Error()}
	}
	options, err := o.options(e)
	if err != nil {
		return err
	}
	names := o.weighted.inputs(args)
	if len(names) == 0 {
		return usageError{"export: no files"}
	}
	in, err := readInputs(ctx, names, o.weighted.weights, std.in)
	if err != nil {
		return named(err)
	}
	defer in.Close()
	p, err := decode.Open(ctx, in.together(), format.Options{
		Salvage: o.salvage, Progress: func(done, of uint64) { stored.ReportBytes(ctx, "Decoding", int(done), int(of)) },
	})
	if err != nil {
		return named(e.Unlike(err))
	}
	if err := o.weighted.heeded(p.Inputs); err != nil {
		return err
	}
	stored.Report(ctx, "Writing", 0, 0)
	stdout := std.out
	if e.IsText() {
		stdout = onScreen(stdout)
	}
	findings, err := export(ctx, e, p, in.Files, options, o.out, stdout)
	if wrong, ok := errors.AsType[*exports.OptionError](err); ok {
		return misused("export: -%s: %s", wrong.Name, wrong.Msg)
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
			// The records of a list stay to its end: to look for garbage among the first is in vain. What is
			// never touched takes no memory, and has the collector wait for as much again.
			untouched := make([]byte, 128<<20)
			written, err := e.WriteTable(ctx, w, p, o)
			runtime.KeepAlive(untouched)
			if written || err != nil {
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
func optionFlags(c *cobra.Command, options []exports.Option) func(e *exports.Export) (exports.Options, error) {
	fs := c.Flags()
	for _, o := range options {
		switch o.Kind {
		case exports.Yes:
			fs.Bool(o.Name, false, o.Does)
		case exports.Number:
			fs.Int(o.Name, 0, o.Does)
		default:
			letter := o.Name
			if len(letter) > 1 {
				letter = ""
			}
			fs.StringP(o.Name, letter, strings.Join(o.Word[:min(1, len(o.Word))], ""), o.Does)
			offer(fs, o.Name, o.Word...)
		}
	}
	return func(e *exports.Export) (given exports.Options, err error) {
		given = exports.Options{}
		fs.Visit(func(f *pflag.Flag) {
			if !slices.ContainsFunc(options, func(o exports.Option) bool { return o.Name == f.Name }) {
				return
			}
			if given[f.Name] = f.Value.String(); !e.Takes(f.Name) {
				err = misused("%s: -%s applies to %s, not to %s", c.Name(), f.Name, strings.Join(taking(f.Name), ", "), e.Name)
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
	fault, ok := model.FaultIn(err)
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
