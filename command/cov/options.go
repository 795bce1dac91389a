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

// options are llvm-cov's, by their names.
type options struct {
	command string // as it is called: diff, export, report, show, or -o DIR or -serve
	program string
	sources []string
	others  []string // that are no options, but not behind -sources
	help    bool
	version bool

	instrProfile, object, arch, pathEquivalence []string
	name, nameRegex, nameAllowlist, ignore      []string
	xdemangler                                  []string
	format, compilationDir, patch               string
	emptyProfile, summaryOnly, demangle, dump   bool
	dumpObjects, dumpPaths                      bool
	useColor                                    maybe
	regionLt, regionGt, lineLt, lineGt          threshold
	least                                       [len(gates)]threshold
	to, addr, port                              string
	sourceURL, sourceRoot                       string
	labels                                      []string
	serve, quiet                                bool
	regionSummary, branchSummary                bool
	mcdcSummary, instantiationSummary           bool
	showFunctions                               bool
	skipExpansions, skipFunctions, skipBranches bool
	unify                                       bool
	lineCounts                                  maybe
	regions, bestCounts, expansions             bool
	instantiations, mcdc, binary                bool
	branches                                    string
	outputDir, projectTitle, watermark          string
	high, low                                   float64 // percent from which and below which coverage is so
	createdTime, directories                    bool
	tabSize                                     uint32
	excludeMarkers, excludeMacros               bool
	debugDirectories                            []string
	checkBinaryIDs, debuginfod                  bool
	ignored                                     uint32
	ignoredBool                                 bool
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
	all := llvmargs.Options{
		"instr-profile": &o.instrProfile, "object": &o.object, "arch": &o.arch, "sources": llvmargs.Rest{To: &o.sources},
		"path-equivalence": &o.pathEquivalence, "compilation-dir": &o.compilationDir, "empty-profile": &o.emptyProfile,
		"format": llvmargs.Choice{To: &o.format, Words: []string{"text", "html", "lcov", "cobertura"}},
		"name":   &o.name, "name-regex": &o.nameRegex, "name-allowlist": &o.nameAllowlist,
		"name-whitelist": &o.nameAllowlist, "ignore-filename-regex": &o.ignore,
		"region-coverage-lt": &o.regionLt, "region-coverage-gt": &o.regionGt,
		"line-coverage-lt": &o.lineLt, "line-coverage-gt": &o.lineGt,
		"use-color": &o.useColor, "color": &o.ignoredBool, "Xdemangler": &o.xdemangler, "demangle": &o.demangle,
		"show-region-summary": &o.regionSummary, "show-branch-summary": &o.branchSummary,
		"show-mcdc-summary": &o.mcdcSummary, "show-instantiation-summary": &o.instantiationSummary,
		"summary-only": &o.summaryOnly, "dump": &o.dump,
		"dump-collected-objects": &o.dumpObjects, "dump-collected-paths": &o.dumpPaths, "h": &o.help, "help": &o.help,
		"help-list": &o.help, "help-hidden": &o.help, "version": &o.version, "help-list-hidden": &o.help,
		"num-threads": &o.ignored, "j": &o.ignored, "debuginfod": &o.debuginfod,
		"debug-file-directory": &o.debugDirectories, "check-binary-ids": &o.checkBinaryIDs,
		"exclude-markers": &o.excludeMarkers, "exclude-macros": &o.excludeMacros,
	}
	if command == site {
		all = llvmargs.Options{
			"o": &o.to, "serve": &o.serve, "addr": &o.addr, "listen": &o.addr, "port": &o.port,
			"instr-profile": &o.instrProfile, "object": &o.object,
			"path-equivalence": &o.pathEquivalence, "compilation-dir": &o.compilationDir, "h": &o.help, "help": &o.help,
			"exclude-markers": &o.excludeMarkers, "exclude-macros": &o.excludeMacros,
			"q": &o.quiet, "source-url": &o.sourceURL, "source-root": &o.sourceRoot, "label": &o.labels,
		}
	}
	if command == site || command == "report" {
		for i := range gates {
			all["min-"+gates[i].name] = &o.least[i]
		}
	}
	more := map[string]llvmargs.Options{
		"export": {
			"skip-expansions": &o.skipExpansions, "skip-functions": &o.skipFunctions, "skip-branches": &o.skipBranches,
			"unify-instantiations": &o.unify,
		},
		"report": {"show-functions": &o.showFunctions},
		"diff":   {"format": &o.format, "diff": &o.patch, "min-lines": &o.least[0]},
		"show": {
			"show-line-counts": &o.lineCounts, "show-regions": &o.regions, "show-line-counts-or-regions": &o.bestCounts,
			"show-branches": llvmargs.Choice{To: &o.branches, Words: []string{"count", "percent"}}, "show-mcdc": &o.mcdc,
			"show-expansions": &o.expansions, "show-instantiations": &o.instantiations, "binary-counters": &o.binary,
			"output-dir": &o.outputDir, "o": &o.outputDir, "project-title": &o.projectTitle, "show-created-time": &o.createdTime,
			"tab-size": &o.tabSize, "coverage-watermark": &o.watermark, "show-directory-coverage": &o.directories,
		},
	}
	for name, to := range more[command] {
		all[name] = to
	}
	return all
}

// parse reads the arguments of a command as [llvmargs.Options] does.
func (o *options) parse(command string, args []string) error {
	o.format, o.addr, o.tabSize = "text", "localhost:0", 2
	o.regionSummary, o.branchSummary, o.unify, o.instantiations, o.createdTime = true, true, true, true, true
	args, err := llvmargs.Expand(args)
	if err != nil {
		return usageError(err.Error())
	}
	var fault *llvmargs.Fault
	o.others, fault = o.table(command).Parse(args)
	switch {
	case fault == nil:
	case fault.Kind == llvmargs.Unknown && command == site && o.table("show")[fault.Name] != nil:
		return usageError(fmt.Sprintf("-%s is for export, report and show: the pages of -o and -serve have everything",
			fault.Name))
	default:
		ours := fault.Error()
		if fault.Kind == llvmargs.Unknown {
			ours += "; proflens cov -h names the usual ones"
		}
		return &misuse{fault.AsLLVM("llvm-cov "+command, o.table(command)), usageError(ours)}
	}
	if len(o.others) > 0 {
		o.program, o.sources = o.others[0], slices.Concat(o.others[1:], o.sources)
	}
	if o.command = command; command == site {
		if o.command = "-o " + o.to; o.serve {
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
	if o.debuginfod {
		return usageError("-debuginfod: nothing is fetched; give programs with -object, or their folder with " +
			"-debug-file-directory")
	}
	if o.port != "" {
		o.addr = "localhost:" + o.port
	}
	if _, err := mover(o.pathEquivalence); err != nil {
		return err
	}
	for _, arch := range o.arch {
		if !covmap.IsArchitecture(arch) {
			return errors.New("unknown architecture: " + arch)
		}
	}
	o.high, o.low = 100, 80
	if o.watermark == "" || command != "show" {
		return nil
	}
	return o.marks()
}

// marks reads the percentages from which, and below which, coverage is high and low.
func (o *options) marks() (err error) {
	high, low, _ := strings.Cut(o.watermark, ",")
	wrong := func(what, value, why string) error {
		return fmt.Errorf("-coverage-watermark: invalid %s '%s', %s", what, value, why)
	}
	if high == "" || low == "" {
		return wrong("argument", o.watermark, "must be in format 'high,low'")
	}
	if o.high, err = number(high); err != nil {
		return wrong("number", high, "invalid value for 'high'")
	}
	if o.low, err = number(low); err != nil {
		return wrong("number", low, "invalid value for 'low'")
	}
	if !(100 >= o.high && o.high > o.low && o.low >= 0) {
		return wrong("number range", o.watermark, "must be both high and low should be between 0-100, and high > low")
	}
	return nil
}
