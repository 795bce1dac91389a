package profdata

import (
	"maps"
	"math"
	"slices"

	"proflens/command/llvmargs"
)

// options are llvm-profdata's.
type options struct {
	command string
	others  []string // that are no options
	help    bool
	version bool
	output  string
	kind    string // of profile: instr, sample or memory
	form    string // that is written: binary, extbinary, compbinary, text or gcc
	// Functions by their names, and programs.
	function, noFunction                  string
	debugInfo, binaryFile, profiledBinary string
	correlate                             string   // with programs by build ID: byDebugInfo, byBinary or nothing
	debugFolders                          []string // that have them; none for the system's
	debuginfod                            bool     // servers are asked too
	mostWarnings                          uint64   // of debug info; 0 for all
	// What show prints.
	allFunctions, counts, covered, showCS           bool
	icTargets, vtables, memopSizes, binaryIDs       bool
	detailedSummary, hotFuncList, showText, json    bool
	listBelowCutoff, profileVersion, traces         bool
	symbolList, sectionsOnly                        bool
	showFormat, cutoffs                             string
	valueCutoff, topN, similarityCutoff, testTraces uint64
	cs                                              bool // of overlap
	// What merge takes and writes.
	weighted                                       []string
	inputFiles, failureMode, remapping, symbolFile string
	dumpInputs, sparse, keepVTables, previous      bool
	reservoir, traceLength, threads                uint64
	supplement, mostZeros                          string
	leastCounters, coldCounters                    uint64
	// Samples.
	dropSymbols, compressAll, useMD5, partial, writeVTables bool
	trimCold, mergeCold, isFS, split                        bool
	mergedBases                                             bool // of what a nested layout inlines
	layout, fsPass                                          string
	coldDepth, coldCount, coldCutoff                        uint64
	mostBytes                                               uint64 // of output; 0 for any number
	// Heaps.
	heapVersion               string // of what is written; empty for 3, or what holds an indexed file
	fullSchema, randomHotness bool
	hotnessSeed               uint64 // 0 for the time
	// unheeded are the options that were given and that change nothing here.
	unheeded []string
}

// defaults are the options of a command before any is given.
func defaults(command string) options {
	o := options{
		command: command, kind: "instr", output: "-", form: "extbinary", showFormat: "text", failureMode: "any",
		reservoir: 100, traceLength: 10000, leastCounters: 10, mostZeros: "0.7", coldDepth: 1,
		mostWarnings: 5,
	}
	if command == "overlap" {
		o.valueCutoff = math.MaxUint64
	}
	return o
}

// unheeded is an option that changes nothing here.
type unheeded struct {
	in   *options
	name string
}

// IsSwitch implements [llvmargs.Value].
func (u *unheeded) IsSwitch() bool { return true }

// Set implements [llvmargs.Value].
func (u *unheeded) Set(string) llvmargs.Kind {
	u.in.unheeded = append(u.in.unheeded, u.name)
	return llvmargs.Right
}

// table is where each option of the command goes.
func (o *options) table() llvmargs.Options {
	word := func(to *string, word string) llvmargs.Word { return llvmargs.Word{To: to, Word: word} }
	number := func(to *uint64, of string) llvmargs.Number { return llvmargs.Number{To: to, Type: of} }
	choice := func(to *string, words ...string) llvmargs.Choice { return llvmargs.Choice{To: to, Words: words} }
	passes := choice(&o.fsPass, slices.Sorted(maps.Keys(passBits))...)
	all := llvmargs.Options{
		"output": &o.output, "o": &o.output, "h": &o.help, "help": &o.help, "version": &o.version,
		"instr": word(&o.kind, "instr"), "sample": word(&o.kind, "sample"), "function": &o.function,
		"debug-info": &o.debugInfo, "profiled-binary": &o.profiledBinary,
		"max-debug-info-correlation-warnings": &o.mostWarnings,
		"correlate":                           choice(&o.correlate, "", byDebugInfo, byBinary),
		"debug-file-directory":                &o.debugFolders,
		"generate-merged-base-profiles":       &o.mergedBases,
	}
	more := map[string]llvmargs.Options{
		"show": {
			"memory": word(&o.kind, "memory"), "all-functions": &o.allFunctions, "counts": &o.counts, "covered": &o.covered,
			"ic-targets": &o.icTargets, "show-vtables": &o.vtables, "memop-sizes": &o.memopSizes, "binary-ids": &o.binaryIDs,
			"detailed-summary": &o.detailedSummary, "detailed-summary-cutoffs": &o.cutoffs, "hot-func-list": &o.hotFuncList,
			"json": &o.json, "text": &o.showText, "list-below-cutoff": &o.listBelowCutoff, "showcs": &o.showCS,
			"show-format": choice(&o.showFormat, "text", "json", "yaml"), "topn": &o.topN,
			"profile-version": &o.profileVersion, "temporal-profile-traces": &o.traces,
			"value-cutoff": &o.valueCutoff, "show-prof-sym-list": &o.symbolList, "show-sec-info-only": &o.sectionsOnly,
			"profile-isfs": &o.isFS, "fs-discriminator-pass": passes,
		},
		"merge": {
			"binary": word(&o.form, "binary"), "extbinary": word(&o.form, "extbinary"), "text": word(&o.form, "text"),
			"compbinary": word(&o.form, "compbinary"), "gcc": word(&o.form, "gcc"), "binary-file": &o.binaryFile,
			"debuginfod": &o.debuginfod, "memprof-version": choice(&o.heapVersion, "2", "3", "4"),
			"memprof-full-schema": &o.fullSchema, "memprof-random-hotness": &o.randomHotness,
			"memprof-random-hotness-seed": number(&o.hotnessSeed, "uint"),
			"weighted-input":              &o.weighted, "input-files": &o.inputFiles, "f": &o.inputFiles,
			"dump-input-file-list": &o.dumpInputs, "sparse": &o.sparse, "num-threads": &o.threads, "j": &o.threads,
			"failure-mode":   choice(&o.failureMode, "warn", "any", "all"),
			"remapping-file": &o.remapping, "r": &o.remapping, "prof-sym-list": &o.symbolFile, "no-function": &o.noFunction,
			"compress-all-sections": &o.compressAll, "use-md5": &o.useMD5, "gen-partial-profile": &o.partial,
			"extbinary-write-vtable-type-prof": &o.writeVTables, "split-layout": &o.split,
			"output-size-limit":         number(&o.mostBytes, "ulong"),
			"gen-cs-nested-profile":     word(&o.layout, "nest"),
			"sample-merge-cold-context": &o.mergeCold, "sample-trim-cold-context": &o.trimCold,
			"sample-frame-depth-for-cold-context": &o.coldDepth,
			"convert-sample-profile-layout":       choice(&o.layout, "nest", "flat"),
			"supplement-instr-with-sample":        &o.supplement, "suppl-min-size-threshold": &o.leastCounters,
			"zero-counter-threshold": &o.mostZeros, "instr-prof-cold-threshold": &o.coldCounters,
			"temporal-profile-trace-reservoir-size": number(&o.reservoir, "ulong"),
			"temporal-profile-max-trace-length":     number(&o.traceLength, "ulong"),
			"keep-vtable-symbols":                   &o.keepVTables, "write-prev-version": &o.previous,
			"drop-profile-symbol-list": &o.dropSymbols, "profile-summary-cold-count": &o.coldCount,
			"profile-summary-cutoff-cold": &o.coldCutoff, "profile-isfs": &o.isFS, "fs-discriminator-pass": passes,
		},
		"overlap": {
			"cs": &o.cs, "value-cutoff": number(&o.valueCutoff, "ullong"),
			"similarity-cutoff": number(&o.similarityCutoff, "ullong"),
			"profile-isfs":      &o.isFS, "fs-discriminator-pass": passes,
		},
		"order": {"num-test-traces": &o.testTraces},
	}
	maps.Copy(all, more[o.command])
	for _, name := range []string{"print-options", "print-all-options", "color"} {
		all[name] = &unheeded{o, name}
	}
	for _, name := range []string{"help-hidden", "help-list", "help-list-hidden"} {
		all[name] = &o.help
	}
	return all
}
