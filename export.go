package main

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
	"proflens/decode/model"
	"proflens/encode"
	"proflens/store"
	"proflens/tables"
)

// exporter is one format that export writes.
type exporter struct {
	name, does string
	// families are those that it can write, one of which the profile must have;
	// nil writes any.
	families []model.Family
	// flags are those of exportOptions that mean something to it.
	flags []string
	// write returns findings of the writing beside those of the profile.
	write func(w io.Writer, p *decode.Profile, o exportOptions) ([]model.Finding, error)
}

// exportOptions are flags of some formats.
type exportOptions struct {
	version         int
	lossy           bool
	keepVTableNames bool
	machO           bool
	table           string
	weight          string
	layout          string
	run, minRuns    int
	// withTables makes the profile's tables in a temporary folder, has them read,
	// and removes it.
	withTables func(read func(ctx context.Context, dir string, p *store.Profile) error) error
}

// exporters are the formats, in the order of the help text.
var exporters = []exporter{
	{"proftext", "the text form, as llvm-profdata merge --text writes it", instr, nil, func(w io.Writer, p *decode.Profile, _ exportOptions) ([]model.Finding, error) {
		return nil, encode.Proftext(w, p.Source)
	}},
	{"profdata", "an indexed profile, as llvm-profdata merge writes it, with its heap profile", []model.Family{model.Instr, model.MemProfFam}, []string{"version", "lossy", "keep-vtable-symbols"}, func(w io.Writer, p *decode.Profile, o exportOptions) ([]model.Finding, error) {
		return encode.Profdata(w, p.Source, encode.ProfdataOptions{Version: o.version, Lossy: o.lossy, KeepVTableNames: o.keepVTableNames, MemProf: p.MemProf})
	}},
	{"order", "functions in the order in which they first ran, for a linker: of temporal traces, or of a Machine IR Profile with timestamps", []model.Family{model.Instr, model.MIPFam}, []string{"macho", "run", "min-runs"}, writeOrder},
	{"memprof-yaml", "a heap profile as text, as llvm-profdata show --memory prints an indexed one", memprofOnly, nil, writeHeap(encode.MemProfYAML)},
	{"memprof-dump", "a raw heap profile, with its executable, as llvm-profdata show --memory prints it", memprofOnly, nil, writeHeap(encode.MemProfDump)},
	{"mip-json", "a Machine IR Profile as JSON", mipOnly, []string{"run"}, func(w io.Writer, p *decode.Profile, o exportOptions) ([]model.Finding, error) {
		return nil, encode.MIPJSON(w, p.MIP, encode.MIPJSONOptions{Run: o.run})
	}},
	{"mip", "a Machine IR Profile as a .mip: map and runs added up, or one written back", mipOnly, []string{"layout"}, writeMIP},
	{"dcpi-json", "one file of DCPI, or of dcpicat, as JSON", dcpiOnly, nil, func(w io.Writer, p *decode.Profile, _ exportOptions) ([]model.Finding, error) {
		return nil, encode.DCPIJSON(w, p.DCPI)
	}},
	{"dcpi", "a profile of DCPI: one written back, or several of an image and event added up", dcpiOnly, nil, func(w io.Writer, p *decode.Profile, _ exportOptions) ([]model.Finding, error) {
		return nil, encode.DCPI(w, p.DCPI)
	}},
	{"pprof", "call stacks of a heap profile, images and procedures of DCPI, else one sample for each function, for go tool pprof", []model.Family{model.Instr, model.MemProfFam, model.DCPIFam}, nil, writePprof},
	{"folded", "call stacks of a heap profile, a line each: frames from the root on, and a weight; of DCPI image;procedure and samples", []model.Family{model.MemProfFam, model.DCPIFam}, []string{"w"}, writeFolded},
	{"speedscope", "call stacks of a heap profile as JSON for speedscope", memprofOnly, nil, writeSpeedscope},
	{"csv", "a table with a line of names first", nil, []string{"table"}, exportTable(tables.FormatCSV)},
	{"json", "a table as the API's list", nil, []string{"table"}, exportTable(tables.FormatJSON)},
	{"ndjson", "a table, an object a line", nil, []string{"table"}, exportTable(tables.FormatNDJSON)},
	{"sqlite", "the profile's database, with its vectors as rows; documented in docs/pages/sqlite.md", nil, nil, exportSQLite},
}

// What an exporter can write.
var (
	instr       = []model.Family{model.Instr}
	dcpiOnly    = []model.Family{model.DCPIFam}
	mipOnly     = []model.Family{model.MIPFam}
	memprofOnly = []model.Family{model.MemProfFam}
)

// writeHeap writes the heap profile of a profile.
func writeHeap(encode func(io.Writer, *model.HeapProfile) ([]model.Finding, error)) func(io.Writer, *decode.Profile, exportOptions) ([]model.Finding, error) {
	return func(w io.Writer, p *decode.Profile, _ exportOptions) ([]model.Finding, error) {
		heap, err := p.HeapProfile()
		if err != nil {
			return nil, err
		}
		return encode(w, heap)
	}
}

func writeOrder(w io.Writer, p *decode.Profile, o exportOptions) ([]model.Finding, error) {
	options := encode.OrderOptions{MachO: o.machO, Run: o.run, MinRuns: o.minRuns}
	if p.MIP == nil {
		return encode.Order(w, p.Source, options)
	}
	plan, err := encode.PlanMIPOrder(p.MIP, options)
	if err != nil {
		return nil, err
	}
	return plan.Findings, plan.Write(w)
}

func writeMIP(w io.Writer, p *decode.Profile, o exportOptions) ([]model.Finding, error) {
	layout := model.MIPLayout(o.layout)
	if !slices.Contains(encode.MIPLayouts, layout) {
		return nil, usageError{fmt.Sprintf("export: unknown layout %q; documented or tool64 is right", o.layout)}
	}
	return nil, encode.MIP(w, p.MIP, encode.MIPOptions{Layout: layout})
}

// holds refuses a profile that has nothing the exporter can write.
func (e exporter) holds(p *decode.Profile) error {
	has := p.Info().Families
	if p.Info().Format == model.LLVMIndexed && slices.Contains(e.families, model.Instr) {
		return nil // one without functions is written as that
	}
	if e.families == nil || slices.ContainsFunc(e.families, func(f model.Family) bool { return slices.Contains(has, f) }) {
		return nil
	}
	return &model.FormatError{Kind: model.KindIncompatible, File: p.Inputs[0].Name,
		Msg: fmt.Sprintf("a profile of %s cannot be written as %s, which is for %s", words(has), e.name, words(e.families))}
}

// words joins the names of families.
func words(families []model.Family) string {
	var list []string
	for _, f := range families {
		list = append(list, string(f))
	}
	return strings.Join(list, " and ")
}

func findExporter(name string) (exporter, error) {
	var names []string
	for _, e := range exporters {
		if e.name == name {
			return e, nil
		}
		names = append(names, e.name)
	}
	return exporter{}, usageError{fmt.Sprintf("export: unknown format %q; the formats: %s", name, strings.Join(names, ", "))}
}

// runExport decodes files into one profile and writes it in another format.
func runExport(ctx context.Context, args []string, std stdio) error {
	fs := newFlagSet("export", "-f FORMAT [-o FILE] [-weighted FILE=N]… [-salvage] FILE…", std)
	format := fs.String("f", "", "format: "+strings.Join(exporterNames(), ", "))
	out := fs.String("o", "-", "write to `FILE`; - is standard output")
	var o exportOptions
	fs.IntVar(&o.version, "version", 0, "profdata: indexed version, 5 to 14; 0 keeps the producer's front-end hashes, else is what LLVM 22 writes")
	fs.BoolVar(&o.lossy, "lossy", false, "profdata: leave out what the version cannot hold")
	fs.BoolVar(&o.keepVTableNames, "keep-vtable-symbols", false, "profdata: keep the vtable names of raw profiles")
	fs.BoolVar(&o.machO, "macho", false, "order: put an underscore before each name, as symbols of Mach-O have one")
	fs.StringVar(&o.layout, "layout", "documented", "mip: `LAYOUT`, documented or tool64, which the old tool reads")
	fs.IntVar(&o.run, "run", 0, "order, mip-json: the `N`th raw file alone, from 1; 0 is all")
	fs.IntVar(&o.minRuns, "min-runs", 0, "order: of a Machine IR Profile, functions that ran in at least `K` runs")
	salvage := fs.Bool("salvage", false, "decode the readable beginning of raw profiles that are cut short; what is written is marked partial where the format allows")
	fs.StringVar(&o.weight, "w", "bytes", "folded: the `WEIGHT` of a stack: bytes, allocations, lifetime (bytes times milliseconds) or accesses")
	fs.StringVar(&o.table, "table", "", "csv, json, ndjson: the `NAME` of the table; the first of its kind when empty, which is functions")
	var weighted weightFlag
	fs.Var(&weighted, "weighted", "multiply the counts of a file: `FILE=N`; may be repeated")
	if err := parseArgs(fs, args); err != nil {
		return err
	}
	e, err := findExporter(*format)
	if err != nil {
		return err
	}
	if err := e.takes(fs); err != nil {
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
	p, err := decode.Open(ctx, in.Files, decode.Options{Salvage: *salvage})
	if err != nil {
		return named(err)
	}
	if err := e.holds(p); err != nil {
		return named(err)
	}
	o.withTables = func(read func(ctx context.Context, dir string, p *store.Profile) error) error {
		return withTables(ctx, in.Files, p, read)
	}
	var findings []model.Finding
	err = writeOutput(*out, std.out, func(w io.Writer) error {
		findings, err = e.write(w, p, o)
		return err
	})
	if errors.Is(err, syscall.EPIPE) {
		err = nil // whoever closed the pipe, like head, has what it wanted
	}
	warn(std.err, p.Findings())
	warn(std.err, of(findings, in.Files))
	return named(nameFault(err, in.Files))
}

// takes refuses flags that were given and are other formats'.
func (e exporter) takes(fs *flag.FlagSet) error {
	var err error
	fs.Visit(func(f *flag.Flag) {
		var of []string
		for _, other := range exporters {
			if slices.Contains(other.flags, f.Name) {
				of = append(of, other.name)
			}
		}
		if len(of) > 0 && !slices.Contains(of, e.name) {
			err = usageError{fmt.Sprintf("export: -%s is of %s, not of %s", f.Name, strings.Join(of, ", "), e.name)}
		}
	})
	return err
}

// of gives findings about a whole profile its only file's name, or the first
// one's and how many more there are.
func of(findings []model.Finding, files []decode.File) []model.Finding {
	named := slices.Clone(findings)
	for i := range named {
		named[i].File = files[0].Name
		if more := len(files) - 1; more > 0 {
			named[i].File += fmt.Sprintf(" and %d more", more)
		}
	}
	return named
}

func exporterNames() []string {
	var names []string
	for _, e := range exporters {
		names = append(names, e.name)
	}
	return names
}

// nameFault gives a fault that an encoder found the only file it can be in.
func nameFault(err error, files []decode.File) error {
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
