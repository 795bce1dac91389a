package profdata

import (
	"proflens/command/llvmargs"
	"proflens/encode/llvmprofdata"
)

// options are llvm-profdata's, as [llvmargs.Of] reads them: of a command, of all, or of those that read
// samples.
type options struct {
	command string
	others  []string // that are no options
	Help    bool     `all:"h help help-hidden help-list help-list-hidden"`
	Version bool     `all:"version"`
	Output  string   `all:"output o" default:"-"`
	Kind    string   `all:"instr=instr sample=sample" show:"memory=memory" default:"instr"` // of profile
	// Form is what is written.
	Form string `merge:"binary=binary extbinary=extbinary compbinary=compbinary text=text gcc=gcc" default:"extbinary"`
	// Functions by their names, and programs.
	NoFunction     string   `merge:"no-function"`
	DebugInfo      string   `all:"debug-info"`
	BinaryFile     string   `merge:"binary-file"`
	ProfiledBinary string   `all:"profiled-binary"`
	Correlate      string   `all:"correlate" words:",debug-info,binary"` // with programs by build ID
	DebugFolders   []string `all:"debug-file-directory"`                 // that have them; none for the system's
	Debuginfod     bool     `merge:"debuginfod"`                         // servers are asked too
	// MostWarnings are those of debug info; 0 for all.
	MostWarnings uint64 `all:"max-debug-info-correlation-warnings" default:"5"`
	// What show prints.
	llvmprofdata.ShowOptions
	JSON           bool   `show:"json"`
	SymbolList     bool   `show:"show-prof-sym-list"`
	SectionsOnly   bool   `show:"show-sec-info-only"`
	ShowFormat     string `show:"show-format" words:"text,json,yaml" default:"text"`
	SummaryCutoffs string `show:"detailed-summary-cutoffs"`
	// What overlap and order compare.
	CS               bool   `overlap:"cs"`
	OverlapCutoff    uint64 `overlap:"value-cutoff" type:"ullong" default:"18446744073709551615"`
	SimilarityCutoff uint64 `overlap:"similarity-cutoff" type:"ullong"`
	TestTraces       uint64 `order:"num-test-traces"`
	// What merge takes and writes.
	Weighted      []string `merge:"weighted-input"`
	InputFiles    string   `merge:"input-files f"`
	FailureMode   string   `merge:"failure-mode" words:"warn,any,all" default:"any"`
	Remapping     string   `merge:"remapping-file r"`
	SymbolFile    string   `merge:"prof-sym-list"`
	DumpInputs    bool     `merge:"dump-input-file-list"`
	Sparse        bool     `merge:"sparse"`
	KeepVTables   bool     `merge:"keep-vtable-symbols"`
	Previous      bool     `merge:"write-prev-version"`
	Reservoir     uint64   `merge:"temporal-profile-trace-reservoir-size" type:"ulong" default:"100"`
	TraceLength   uint64   `merge:"temporal-profile-max-trace-length" type:"ulong" default:"10000"`
	Threads       uint64   `merge:"num-threads j"`
	Supplement    string   `merge:"supplement-instr-with-sample"`
	MostZeros     string   `merge:"zero-counter-threshold" default:"0.7"`
	LeastCounters uint64   `merge:"suppl-min-size-threshold" default:"10"`
	ColdCounters  uint64   `merge:"instr-prof-cold-threshold"`
	// Samples.
	DropSymbols  bool   `merge:"drop-profile-symbol-list"`
	CompressAll  bool   `merge:"compress-all-sections"`
	UseMD5       bool   `merge:"use-md5"`
	Partial      bool   `merge:"gen-partial-profile"`
	WriteVTables bool   `merge:"extbinary-write-vtable-type-prof"`
	TrimCold     bool   `merge:"sample-trim-cold-context"`
	MergeCold    bool   `merge:"sample-merge-cold-context"`
	Split        bool   `merge:"split-layout"`
	MergedBases  bool   `all:"generate-merged-base-profiles"` // of what a nested layout inlines
	IsFS         bool   `samples:"profile-isfs"`
	Layout       string `merge:"convert-sample-profile-layout gen-cs-nested-profile=nest" words:"nest,flat"`
	ColdDepth    uint64 `merge:"sample-frame-depth-for-cold-context" default:"1"`
	ColdCount    uint64 `merge:"profile-summary-cold-count"`
	ColdCutoff   uint64 `merge:"profile-summary-cutoff-cold"`
	MostBytes    uint64 `merge:"output-size-limit" type:"ulong"` // of output; 0 for any number
	// FSPass is one of passBits.
	FSPass string `samples:"fs-discriminator-pass" words:"Base,Pass0,Pass1,Pass2,Pass3,Pass4,PassLast"`
	// Heaps.
	HeapVersion   string `merge:"memprof-version" words:"2,3,4"` // empty for 3, or what holds an indexed file
	FullSchema    bool   `merge:"memprof-full-schema"`
	RandomHotness bool   `merge:"memprof-random-hotness"`
	HotnessSeed   uint64 `merge:"memprof-random-hotness-seed" type:"uint"` // 0 for the time
	// Unheeded are the options that were given and that change nothing here.
	Unheeded []string `all:"print-options=print-options print-all-options=print-all-options color=color"`
}

// table is where each option of the command goes.
func (o *options) table() llvmargs.Options {
	commands := []string{"all", o.command}
	if o.command != "order" {
		commands = append(commands, "samples")
	}
	return llvmargs.Of(o, commands...)
}
