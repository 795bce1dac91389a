package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/llvm"
	"proflens/decode/model"
	"proflens/profile/exports"
)

// mergeConfig is the flags of "proflens merge".
type mergeConfig struct {
	out, list, mode    string
	text, sparse       bool
	procs              int
	contributions      string
	weighted           weightFlag
	options            func(e *exports.Export) (exports.Options, error)
	inputs             []mergeInput
	faulty             llvm.Faulty
	faultsAreTolerated bool // also when there is nothing but faulty files
}

// failureModes are those of llvm-profdata.
var failureModes = []string{"any", "all", "warn"}

// mergeCommand adds profiles up, however many they are.
func mergeCommand(c *cobra.Command) runner {
	c.Use += " FILE…"
	m, fs := &mergeConfig{mode: failureModes[0]}, c.Flags()
	fs.StringVarP(&m.out, "o", "o", "-", "write to `FILE`; - is standard output")
	fs.StringVar(&m.list, "input-files", "",
		"read names of inputs from `FILE`, one a line, with \"N,\" before a name for a weight; - is standard input")
	fs.Var(&m.weighted, "weighted",
		"multiply the counts of a file, or of all that a pattern names: `FILE=N`; may be repeated")
	choiceVar(fs, &m.mode, "failure-mode", failureModes,
		"`MODE`: any ends at the first file that cannot be read; all leaves such files out and names them, and fails if "+
			"there is no other; warn does not even then")
	fs.BoolVar(&m.sparse, "sparse", false, "leave out functions that never ran")
	fs.BoolVar(&m.text, "text", false, "write the text form")
	fs.IntVarP(&m.procs, "j", "j", 0, "use `N` processors; 0 is all")
	fs.StringVar(&m.contributions, "contributions", "",
		"write what each input contributes to `FILE`, as CSV, or as JSON if it ends so; - is standard output")
	m.options = optionFlags(c, sumOptions())
	return m.run
}

func (c *mergeConfig) run(ctx context.Context, args []string, std stdio) error {
	err := c.check(args, std)
	if err != nil {
		return err
	}
	err = c.merge(ctx, std)
	if errors.Is(err, syscall.EPIPE) {
		return nil // whoever closed the pipe, like head, has what it wanted
	}
	return named(err)
}

// check finds out what to merge, and whether it can be.
func (c *mergeConfig) check(args []string, std stdio) (err error) {
	if c.mode != failureModes[0] {
		c.faulty, c.faultsAreTolerated = llvm.AsLLVM, c.mode == "warn"
	}
	if c.procs < 0 {
		return usageError{"merge: -j takes 0 or more processors"}
	}
	if c.contributions == "-" && c.out == "-" {
		return usageError{"merge: -o and -contributions cannot both be standard output"}
	}
	if c.inputs, err = mergeInputs(args, &c.weighted, c.list, std.in); err != nil {
		return err
	}
	if len(c.inputs) == 0 {
		return usageError{"merge: no files"}
	}
	if c.out == "-" && !c.text && isScreen(std.out) {
		return usageError{"merge: a binary profile is not for a terminal; use -o FILE, or -text"}
	}
	return nil
}

// sumOptions are the options of the forms that sums are written in.
func sumOptions() []exports.Option {
	var list []exports.Option
	for _, o := range exports.AllOptions {
		for _, name := range decode.Sums() {
			if e, err := exports.Find(name); err == nil && e.Takes(o.Name) {
				list = append(list, o)
				break
			}
		}
	}
	return list
}

// merge merges counters a few files at a time, and what else there is as one profile.
func (c *mergeConfig) merge(ctx context.Context, std stdio) error {
	err := c.mergeFleet(ctx, std)
	if errors.Is(err, llvm.ErrNotCounters) {
		return c.mergeOthers(ctx, std)
	}
	return err
}

func (c *mergeConfig) mergeFleet(ctx context.Context, std stdio) error {
	files := &mergeFiles{stdin: std.in}
	defer files.Close()
	fleet := llvm.NewFleet(llvm.FleetOptions{Procs: c.procs, Faulty: c.faulty})
	lazy := files.lazy(ctx, c.inputs)
	errs, err := decode.AddTo(ctx, fleet, c.faulty, lazy)
	if packed, ok := errors.AsType[*packedError](err); ok {
		if c.inputs, err = files.unpack(ctx, c.inputs); err != nil {
			return err
		}
		if len(c.inputs) == 0 {
			return fmt.Errorf("%s: there is no file in it", packed.name)
		}
		return c.mergeFleet(ctx, std)
	}
	if model.KindOf(err) == model.KindIncompatible {
		return fmt.Errorf("%w; with -failure-mode=all it is left out", err)
	}
	if err != nil {
		return err
	}
	if err := c.allFaulty(errs); err != nil {
		return err
	}
	if c.contributions != "" {
		if err := c.contribute(ctx, fleet, lazy, errs, std.out); err != nil {
			return err
		}
	}
	return c.write(fleet.Profile(c.sparse), std)
}

// allFaulty is the error for files none of which could be read.
func (c *mergeConfig) allFaulty(errs []error) error {
	if c.faultsAreTolerated {
		return nil
	}
	var first error
	for _, err := range errs {
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return fmt.Errorf("no profile can be merged; of the first: %w", first)
}

// mergeOthers merges what no fleet takes: programs and heap profiles beside counters
// as export does, and the profiles of other suites one by one.
func (c *mergeConfig) mergeOthers(ctx context.Context, std stdio) error {
	if c.sparse || c.contributions != "" {
		return usageError{"merge: -sparse and -contributions apply to counters of instrumentation alone"}
	}
	var names []string
	weights := map[string]uint64{}
	for _, in := range c.inputs {
		names = append(names, in.name)
		weights[in.name] = in.weight
	}
	in, err := readInputs(ctx, names, weights, std.in)
	if err != nil {
		return err
	}
	defer in.Close()
	sum, err := mergeGroups(ctx, in.Files)
	if err != nil {
		return err
	}
	return c.write(sum, std)
}

// mergeGroups merges the profiles that files form. Those of LLVM's are merged as they
// are opened.
func mergeGroups(ctx context.Context, files []format.File) (*format.Profile, error) {
	recognised := make([]format.Recognised, len(files))
	for i, f := range files {
		recognised[i] = decode.Recognise(f.Name, f.Data)
	}
	groups := format.Group(recognised)
	if len(groups) == 1 || slices.ContainsFunc(recognised, func(r format.Recognised) bool {
		return slices.Contains(llvm.Suite.Formats, r.Format)
	}) {
		return decode.Open(ctx, files, format.Options{})
	}
	var profiles []format.Weighted
	for _, g := range groups {
		some := make([]format.File, len(g))
		for i, at := range g {
			some[i] = files[at]
		}
		weight := some[0].Weight
		for i := range some {
			some[i].Weight = 0
		}
		p, err := decode.Open(ctx, some, format.Options{})
		if err != nil {
			return nil, err
		}
		profiles = append(profiles, format.Weighted{Name: some[0].Name, Profile: p, Weight: weight})
	}
	return decode.Merge(ctx, profiles, format.MergeOptions{})
}

// write writes the sum in the form that its suite keeps sums in, or as text.
func (c *mergeConfig) write(sum *format.Profile, std stdio) error {
	name := sum.Suite.Sum
	if c.text {
		name = sum.Suite.SumText
	}
	if name == "" {
		return misused("merge: %s cannot be written as a sum; proflens export has forms of it", sum.Info.Describe)
	}
	e, err := exports.Find(name)
	if err != nil {
		return err
	}
	options, err := c.options(e)
	if err != nil {
		return err
	}
	plan, err := e.Plan(sum, options)
	if wrong, ok := errors.AsType[*exports.OptionError](err); ok {
		return misused("merge: -%s: %s", wrong.Name, wrong.Msg)
	}
	if err != nil {
		return err
	}
	stdout := std.out
	if e.IsText() {
		stdout = onScreen(stdout)
	}
	var more []model.Finding
	err = writeOutput(c.out, stdout, func(w io.Writer) error {
		more, err = plan.Write(w)
		return err
	})
	warn(std.err, sum.Findings())
	warn(std.err, c.ofAll(plan.Findings))
	warn(std.err, c.ofAll(more))
	return err
}

// ofAll gives findings about the sum the name of its first input, and how many more
// there are.
func (c *mergeConfig) ofAll(findings []model.Finding) []model.Finding {
	first := make([]format.File, len(c.inputs))
	first[0].Name = c.inputs[0].name
	return of(findings, first)
}

// isScreen reports whether output goes to a terminal.
func isScreen(out io.Writer) bool {
	file, ok := out.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(file.Fd()))
}
