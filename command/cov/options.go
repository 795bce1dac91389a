package cov

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"proflens/command/llvmargs"
	"proflens/decode/covmap"
)

// options are llvm-cov's, as [llvmargs.Of] reads them: of a command, of all but the site, or of any.
type options struct {
	command string   // as it is called: diff, export, report, show, or -o DIR or -serve
	Sources []string `all:"sources" type:"rest"`
	program string
	others  []string // that are no options, but not behind -sources
	Help    bool     `any:"h help" all:"help-list help-hidden help-list-hidden"`
	Version bool     `all:"version"`

	InstrProfile    []string `any:"instr-profile"`
	Object          []string `any:"object"`
	Arch            []string `all:"arch"`
	PathEquivalence []string `any:"path-equivalence"`
	CompilationDir  string   `any:"compilation-dir"`
	EmptyProfile    bool     `all:"empty-profile"`
	Format          string   `all:"format" words:"text,html,lcov,cobertura" default:"text"`
	Patch           string   `diff:"diff"`

	Name          []string `all:"name"`
	NameRegex     []string `all:"name-regex"`
	NameAllowlist []string `all:"name-allowlist name-whitelist"`
	Ignore        []string `all:"ignore-filename-regex"`
	Xdemangler    []string `all:"Xdemangler"`
	Demangle      bool     `all:"demangle"`

	RegionLt threshold `all:"region-coverage-lt"`
	RegionGt threshold `all:"region-coverage-gt"`
	LineLt   threshold `all:"line-coverage-lt"`
	LineGt   threshold `all:"line-coverage-gt"`
	least    [len(gates)]threshold

	UseColor             maybe  `all:"use-color"`
	SummaryOnly          bool   `all:"summary-only"`
	Dump                 bool   `all:"dump"`
	DumpObjects          bool   `all:"dump-collected-objects"`
	DumpPaths            bool   `all:"dump-collected-paths"`
	RegionSummary        bool   `all:"show-region-summary" default:"true"`
	BranchSummary        bool   `all:"show-branch-summary" default:"true"`
	MCDCSummary          bool   `all:"show-mcdc-summary"`
	InstantiationSummary bool   `all:"show-instantiation-summary"`
	Ignored              uint32 `all:"num-threads j"`
	IgnoredBool          bool   `all:"color"`

	DebugDirectories []string `all:"debug-file-directory"`
	CheckBinaryIDs   bool     `all:"check-binary-ids"`
	Debuginfod       bool     `all:"debuginfod"`
	ExcludeMarkers   bool     `any:"exclude-markers"`
	ExcludeMacros    bool     `any:"exclude-macros"`

	To         string   `site:"o"`
	Serve      bool     `site:"serve"`
	Addr       string   `site:"addr listen" default:"localhost:0"`
	Port       string   `site:"port"`
	Quiet      bool     `site:"q"`
	SourceURL  string   `site:"source-url"`
	SourceRoot string   `site:"source-root"`
	Labels     []string `site:"label"`

	SkipExpansions bool `export:"skip-expansions"`
	SkipFunctions  bool `export:"skip-functions"`
	SkipBranches   bool `export:"skip-branches"`
	Unify          bool `export:"unify-instantiations" default:"true"`
	ShowFunctions  bool `report:"show-functions"`

	LineCounts     maybe   `show:"show-line-counts"`
	Regions        bool    `show:"show-regions"`
	BestCounts     bool    `show:"show-line-counts-or-regions"`
	Branches       string  `show:"show-branches" words:"count,percent"`
	MCDC           bool    `show:"show-mcdc"`
	Expansions     bool    `show:"show-expansions"`
	Instantiations bool    `show:"show-instantiations" default:"true"`
	Binary         bool    `show:"binary-counters"`
	OutputDir      string  `show:"output-dir o"`
	ProjectTitle   string  `show:"project-title"`
	CreatedTime    bool    `show:"show-created-time" default:"true"`
	TabSize        uint32  `show:"tab-size" default:"2"`
	Watermark      string  `show:"coverage-watermark"`
	Directories    bool    `show:"show-directory-coverage"`
	high, low      float64 // percent from which and below which coverage is so
}

// maybe is a switch that may not have been set.
type maybe struct{ set, on bool }

// threshold is a percentage that may not have been set.
type threshold struct {
	set bool
	at  float64
}

// IsSwitch implements [llvmargs.Value].
func (m *maybe) IsSwitch() bool { return true }

// Set implements [llvmargs.Value].
func (m *maybe) Set(value string) (kind llvmargs.Kind) {
	m.set = true
	m.on, kind = llvmargs.Bool(value)
	return kind
}

// IsSwitch implements [llvmargs.Value].
func (t *threshold) IsSwitch() bool { return false }

// Set implements [llvmargs.Value].
func (t *threshold) Set(value string) llvmargs.Kind {
	at, err := number(value)
	*t = threshold{true, at}
	if err != nil {
		return llvmargs.NotFloat
	}
	return llvmargs.Right
}

// table is where each option of a command goes.
func (o *options) table(command string) llvmargs.Options {
	commands := []string{"any", "all", command}
	if command == site {
		commands = []string{"any", site}
	}
	table := llvmargs.Of(o, commands...)
	switch command {
	case "diff":
		table["format"], table["min-lines"] = &o.Format, &o.least[0]
	case site, "report":
		for i := range gates {
			table["min-"+gates[i].name] = &o.least[i]
		}
	}
	return table
}

// parse reads the arguments of a command as [llvmargs.Options] does.
func (o *options) parse(command string, args []string) error {
	args, err := llvmargs.Expand(args)
	if err != nil {
		return usageError(err.Error())
	}
	table := o.table(command)
	var fault *llvmargs.Fault
	o.others, fault = table.Parse(args)
	switch {
	case fault == nil:
	case fault.Kind == llvmargs.Unknown && command == site && new(options).table("show")[fault.Name] != nil:
		return usageError(fmt.Sprintf("-%s is for export, report and show: the pages of -o and -serve have everything",
			fault.Name))
	default:
		ours := fault.Error()
		if fault.Kind == llvmargs.Unknown {
			ours += "; proflens cov -h names the usual ones"
		}
		return &misuse{fault.AsLLVM("llvm-cov "+command, table), usageError(ours)}
	}
	if len(o.others) > 0 {
		o.program, o.Sources = o.others[0], slices.Concat(o.others[1:], o.Sources)
	}
	if o.command = command; command == site {
		if o.command = "-o " + o.To; o.Serve {
			o.command = "-serve"
		}
	}
	return o.check(command)
}

var errNumber = errors.New("use a number")

// number is a number as C reads it: hexadecimal ones need no exponent, and none is 0.
func number(value string) (float64, error) {
	if value == "" {
		return 0, nil
	}
	if hex := strings.ToLower(value); strings.Contains(hex, "0x") && !strings.Contains(hex, "p") {
		value += "p0"
	}
	n, err := strconv.ParseFloat(value, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || strings.Contains(value, "_") {
		return 0, errNumber
	}
	return n, nil
}

// check refuses values that LLVM refuses though the output would be the same, and what
// would need the network.
func (o *options) check(command string) error {
	if o.Debuginfod {
		return usageError("-debuginfod: nothing is fetched; give programs with -object, or their folder with " +
			"-debug-file-directory")
	}
	if o.Port != "" {
		o.Addr = "localhost:" + o.Port
	}
	if _, err := mover(o.PathEquivalence); err != nil {
		return err
	}
	for _, arch := range o.Arch {
		if !covmap.IsArchitecture(arch) {
			return errors.New("unknown architecture: " + arch)
		}
	}
	o.high, o.low = 100, 80
	if o.Watermark == "" || command != "show" {
		return nil
	}
	return o.marks()
}

// marks reads the percentages from which, and below which, coverage is high and low.
func (o *options) marks() (err error) {
	high, low, _ := strings.Cut(o.Watermark, ",")
	wrong := func(what, value, why string) error {
		return fmt.Errorf("-coverage-watermark: invalid %s '%s', %s", what, value, why)
	}
	if high == "" || low == "" {
		return wrong("argument", o.Watermark, "must be in format 'high,low'")
	}
	if o.high, err = number(high); err != nil {
		return wrong("number", high, "invalid value for 'high'")
	}
	if o.low, err = number(low); err != nil {
		return wrong("number", low, "invalid value for 'low'")
	}
	if !(100 >= o.high && o.high > o.low && o.low >= 0) {
		return wrong("number range", o.Watermark, "must be both high and low should be between 0-100, and high > low")
	}
	return nil
}
