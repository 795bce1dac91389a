package cov

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"proflens/analyze/coverage"
	"proflens/command/llvmerr"
	"proflens/decode/model"
	"proflens/encode/llvmcov"
)

// open loads everything that a command needs; brief, for tables of numbers, without
// regions.
func (r *run) open(brief bool) (*coverage.Coverage, *sources, error) {
	o := &r.options
	leaves := o.excludes() != ""
	c, err := r.load(brief && !leaves)
	if err != nil {
		return nil, nil, err
	}
	r.demangle = r.demangler(c)
	s, err := r.sources(c)
	if err != nil || !leaves {
		return c, s, err
	}
	s.c = r.without(s)
	return s.c, s, nil
}

// excludes are the words of what totals leave out.
func (o *options) excludes() string {
	var words []string
	if o.ExcludeMarkers {
		words = append(words, coverage.ExcludeMarkers)
	}
	if o.ExcludeMacros {
		words = append(words, coverage.ExcludeMacros)
	}
	return strings.Join(words, ",")
}

// without leaves out what markers name and what stands in expansions, as asked, and says how much
// that is.
func (r *run) without(s *sources) *coverage.Coverage {
	w := coverage.Without{Macros: r.options.ExcludeMacros}
	if r.options.ExcludeMarkers {
		asked := slices.Sorted(slices.Values(s.files))
		w.Marks = func(file int) *coverage.Marks {
			if _, ok := slices.BinarySearch(asked, file); !ok {
				return nil
			}
			text, _ := s.source(file)
			m := coverage.MarksOf(text)
			r.warnOfMarks(s.c.Files[file].Name, m)
			return m
		}
	}
	left, _ := s.c.Without(w)
	was, is := sumOf(s.c, s.files), sumOf(left, s.files)
	var list []string
	for i := range gates {
		if n := gates[i].of(&was).Total - gates[i].of(&is).Total; n != 0 {
			list = append(list, model.Amount(n, gates[i].one, gates[i].what))
		}
	}
	r.leftOut = "Left out: " + cmp.Or(strings.Join(list, ", "), "nothing")
	return left
}

// warnOfMarks says that an exclusion in a file does not end.
func (r *run) warnOfMarks(file string, m *coverage.Marks) {
	if m != nil && m.Open > 0 {
		r.warn("%s:%d: nothing stops the exclusion that starts here", file, m.Open)
	}
}

// noteLeftOut says what was left out where no table can.
func (r *run) noteLeftOut() {
	if r.leftOut != "" {
		fmt.Fprintf(r.err, "note: %s\n", r.leftOut)
	}
}

// sumOf is what some files come to.
func sumOf(c *coverage.Coverage, files []int) (sum coverage.Summary) {
	list := c.Summaries(nil)
	for _, file := range files {
		sum.Add(list[file])
	}
	return sum
}

// made is when the first profile was.
func (r *run) made() time.Time {
	for _, name := range r.options.InstrProfile {
		if info, err := os.Stat(name); err == nil {
			return info.ModTime()
		}
	}
	return time.Unix(0, 0)
}

// colours reports whether to write in colours: as asked, or on a terminal.
func (r *run) colours() bool {
	switch r.options.Format { // as LLVM has it, errors too
	case "html":
		return true
	case "lcov":
		return false
	}
	if r.options.UseColor.set {
		return r.options.UseColor.on
	}
	f, ok := r.terminal.(interface{ Fd() uintptr })
	if !ok || os.Getenv("NO_COLOR") != "" {
		return false
	}
	return term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

func (r *run) export() error {
	o := &r.options
	if o.Format == "html" {
		return &llvmerr.Fault{Msg: "coverage data can only be exported as textual JSON or an lcov tracefile.",
			More: "it is also exported as cobertura; " + forPages}
	}
	c, s, err := r.open(false)
	if err != nil {
		if _, wrong := errors.AsType[usageError](err); wrong {
			return err
		}
		return fmt.Errorf("%w\nerror: could not load coverage information", err)
	}
	r.noteLeftOut()
	if err := r.dumpGroups(c, s.files); err != nil {
		return err
	}
	switch o.Format {
	case "lcov":
		return llvmcov.WriteLCOV(r.out, c, s.files, llvmcov.LCOVOptions{
			SummaryOnly: o.SummaryOnly, SkipFunctions: o.SkipFunctions, SkipBranches: o.SkipBranches, Apart: !o.Unify,
		})
	case "cobertura":
		return llvmcov.WriteCobertura(r.out, c, s.files, llvmcov.CoberturaOptions{
			Version: "proflens " + r.version, Made: r.made(), Demangle: r.demangle,
		})
	}
	slices.Sort(s.files)
	return llvmcov.WriteJSON(r.out, c, s.files, llvmcov.JSONOptions{
		SummaryOnly: o.SummaryOnly, SkipExpansions: o.SkipExpansions, SkipFunctions: o.SkipFunctions,
	})
}

// dumpGroups says, for -dump, how many functions begin at each place of some files.
func (r *run) dumpGroups(c *coverage.Coverage, files []int) error {
	if !r.options.Dump {
		return nil
	}
	return llvmcov.WriteGroups(r.out, c, files)
}

// forPages says where pages are.
const forPages = "for pages use proflens cov show -format=html, or -o DIR"

// exported refuses the formats that only export has.
func (o *options) exported() error {
	if o.Format == "lcov" || o.Format == "cobertura" {
		return &llvmerr.Fault{Msg: o.Format + " format should be used with 'llvm-cov export'."}
	}
	return nil
}

func (r *run) report() error {
	o := &r.options
	if o.Format == "html" {
		return &llvmerr.Fault{Msg: "HTML output for summary reports is not yet supported.", More: forPages}
	}
	if err := o.exported(); err != nil {
		return err
	}
	c, s, err := r.open(true)
	if err != nil {
		return err
	}
	options := r.columns()
	if !o.ShowFunctions {
		if err := r.dumpGroups(c, s.files); err != nil {
			return err
		}
		err := llvmcov.WriteReport(r.out, llvmcov.Rows(c, s.files, nil), options, true)
		if r.leftOut != "" {
			fmt.Fprintf(r.out, "\n%s\n", r.leftOut)
		}
		return errors.Join(err, o.gateOf(c, s.files))
	}
	r.noteLeftOut()
	if !s.chosen {
		return errors.New("source files must be specified when -show-functions=true is specified")
	}
	options.Demangle = r.demangle
	return errors.Join(llvmcov.WriteFunctions(r.out, c, s.files, options), o.gateOf(c, s.files))
}

// columns are what a table of files has.
func (r *run) columns() llvmcov.ReportOptions {
	o := &r.options
	return llvmcov.ReportOptions{
		Regions: o.RegionSummary, Branches: o.BranchSummary, MCDC: o.MCDCSummary, Instantiations: o.InstantiationSummary,
		Colours: r.colours(),
	}
}
