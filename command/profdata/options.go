package profdata

import (
	"math"

	"proflens/command/llvmargs"
)

// options are llvm-profdata's, by their names.
type options struct {
	command string
	others  []string // that are no options
	help    bool
	output  string
	kind    string // of profile: instr, sample or memory
	form    string // that is written: binary, extbinary, compbinary, text or gcc
	ignored uint64
	threads uint64
	skip    bool // switches that change nothing here
	text    string

	function, noFunction                            string
	debugInfo, binaryFile, profiledBinary           string
	allFunctions, counts, covered, showCS           bool
	icTargets, vtables, memopSizes, binaryIDs       bool
	detailedSummary, hotFuncList, showText, json    bool
	listBelowCutoff, profileVersion, traces         bool
	symbolList, sectionsOnly                        bool
	showFormat, cutoffs                             string
	valueCutoff, topN, similarityCutoff, testTraces uint64
	weighted                                        []string
	inputFiles, failureMode, remapping, symbolFile  string
	dumpInputs, sparse, cs, dropSymbols             bool
	coldCount, coldCutoff                           uint64
	compressAll, useMD5, partial, splitLayout       bool
	mergedBase, trimCold, mergeCold, fullMemProf    bool
	layout                                          string
	coldDepth, outputLimit, reservoir, traceLength  uint64
	supplement, memprofVersion                      string
	keepVTables                                     bool
	supplMinSize, supplZero, supplHot               string
	fsPass                                          string
	isFS                                            bool
}

// table is where each option of a command goes.
func (o *options) table(command string) llvmargs.Options {
	*o = options{
		command: command, kind: "instr", output: "-", form: "extbinary", showFormat: "text", failureMode: "any",
		mergedBase: true, reservoir: 100, traceLength: 10000,
	}
	word := func(to *string, word string) llvmargs.Word { return llvmargs.Word{To: to, Word: word} }
	all := llvmargs.Options{
		"output": &o.output, "o": &o.output, "h": &o.help, "help": &o.help,
		"instr": word(&o.kind, "instr"), "sample": word(&o.kind, "sample"), "function": &o.function,
		"debug-info": &o.debugInfo, "profiled-binary": &o.profiledBinary,
		"max-debug-info-correlation-warnings": &o.ignored,
	}
	more := map[string]llvmargs.Options{
		"show": {
			"memory": word(&o.kind, "memory"), "all-functions": &o.allFunctions, "counts": &o.counts, "covered": &o.covered,
			"ic-targets": &o.icTargets, "show-vtables": &o.vtables, "memop-sizes": &o.memopSizes, "binary-ids": &o.binaryIDs,
			"detailed-summary": &o.detailedSummary, "detailed-summary-cutoffs": &o.cutoffs, "hot-func-list": &o.hotFuncList,
			"json": &o.json, "text": &o.showText, "list-below-cutoff": &o.listBelowCutoff, "showcs": &o.showCS,
			"show-format":     llvmargs.Choice{To: &o.showFormat, Words: []string{"text", "json", "yaml"}},
			"profile-version": &o.profileVersion, "temporal-profile-traces": &o.traces, "topn": &o.topN,
			"value-cutoff": &o.valueCutoff, "show-prof-sym-list": &o.symbolList, "show-sec-info-only": &o.sectionsOnly,
			"profile-isfs": &o.isFS, "fs-discriminator-pass": &o.fsPass,
		},
		"merge": {
			"binary": word(&o.form, "binary"), "extbinary": word(&o.form, "extbinary"), "text": word(&o.form, "text"),
			"compbinary": word(&o.form, "compbinary"), "gcc": word(&o.form, "gcc"), "binary-file": &o.binaryFile,
			"weighted-input": &o.weighted, "input-files": &o.inputFiles, "f": &o.inputFiles,
			"dump-input-file-list": &o.dumpInputs, "sparse": &o.sparse, "num-threads": &o.threads, "j": &o.threads,
			"failure-mode":   llvmargs.Choice{To: &o.failureMode, Words: []string{"warn", "any", "all"}},
			"remapping-file": &o.remapping, "r": &o.remapping, "prof-sym-list": &o.symbolFile, "no-function": &o.noFunction,
			"compress-all-sections": &o.compressAll, "use-md5": &o.useMD5, "gen-partial-profile": &o.partial,
			"split-layout": &o.splitLayout, "sample-merge-cold-context": &o.mergeCold,
			"sample-trim-cold-context": &o.trimCold, "sample-frame-depth-for-cold-context": &o.coldDepth,
			"output-size-limit": &o.outputLimit, "generate-merged-base-profiles": &o.mergedBase,
			"convert-sample-profile-layout": llvmargs.Choice{To: &o.layout, Words: []string{"nest", "flat"}},
			"supplement-instr-with-sample":  &o.supplement, "suppl-min-size-threshold": &o.supplMinSize,
			"zero-counter-threshold": &o.supplZero, "instr-prof-cold-threshold": &o.supplHot,
			"temporal-profile-trace-reservoir-size": &o.reservoir, "temporal-profile-max-trace-length": &o.traceLength,
			"memprof-version":     llvmargs.Choice{To: &o.memprofVersion, Words: []string{"0", "1", "2", "3", "4"}},
			"memprof-full-schema": &o.fullMemProf, "keep-vtable-symbols": &o.keepVTables,
			"drop-profile-symbol-list": &o.dropSymbols, "profile-summary-cold-count": &o.coldCount,
			"profile-summary-cutoff-cold": &o.coldCutoff, "profile-isfs": &o.isFS, "fs-discriminator-pass": &o.fsPass,
			"write-prev-version": &o.skip, "correlate": &o.text, "memprof-random-hotness": &o.skip,
			"debug-file-directory": &o.text, "debuginfod": &o.skip,
		},
		"overlap": {
			"cs": &o.cs, "value-cutoff": &o.valueCutoff, "similarity-cutoff": &o.similarityCutoff,
		},
		"order": {"num-test-traces": &o.testTraces},
	}
	if command == "overlap" {
		o.valueCutoff = math.MaxUint64
	}
	for name, to := range more[command] {
		all[name] = to
	}
	return all
}
