package exports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"proflens/encode"
	"proflens/encode/sampleprof"
	"proflens/names"
	"proflens/profile"
)

// Option is what can be asked of exports: a parameter of the API, a flag of the
// command line.
type Option struct {
	Name string
	Does string   // in a line, with a word in `back quotes` for its value
	Kind Kind     // of its values
	High int      // the largest Number
	Low  int      // the smallest Number that may be given; 0 stands for none given
	Word []string // the words that a Word may be, the default first; nil for any text
}

// Kind is what the values of an option are.
type Kind int

// The kinds.
const (
	Yes Kind = iota
	Number
	Word
)

// maxRuns is more raw files than a profile may have.
const maxRuns = 10_000

// AllOptions are the options of all exports, in the order of the help text.
var AllOptions = []Option{
	{Name: "version", Kind: Number, Low: encode.MinVersion, High: encode.MaxVersion,
		Does: "profdata: indexed version, 5 to 14; 0 keeps a front-end producer's hashes, or else writes what LLVM 22 does"},
	{Name: "lossy", Does: "profdata: drop data that the version cannot hold"},
	{Name: "keep-vtable-symbols", Does: "profdata: keep the vtable names of raw profiles"},
	{Name: "macho", Does: "order: put an underscore before each name, as in Mach-O symbols"},
	{
		Name: "layout", Kind: Word, Word: texts(encode.MIPLayouts),
		Does: "mip: `LAYOUT`, documented or tool64, which the old tool reads",
	},
	{
		Name: "run", Kind: Number, High: maxRuns,
		Does: "order, mip-json: only run `N`, from 1: of several files file number N, of one its trace N; 0 is all",
	},
	{
		Name: "min-runs", Kind: Number, High: maxRuns,
		Does: "order: of a Machine IR Profile, only functions that ran in at least `K` runs",
	},
	{
		Name: "w", Kind: Word, Word: weights,
		Does: "folded: the `WEIGHT` of a stack: bytes, allocations, lifetime (bytes times milliseconds) or accesses",
	},
	{Name: "names", Kind: Word, Word: []string{string(names.Full), string(names.Short), string(names.NoTemplates),
		string(names.Mangled)},
		Does: "folded, speedscope; csv, json, ndjson, in the column demangled: `FORM` of function names: full, mangled …"},
	{
		Name: "lib", Kind: Word, Word: []string{"show", "fold"},
		Does: "pprof, folded, speedscope: `HOW` to write library frames of heap profiles: show, or fold them into their " +
			"caller",
	},
	{
		Name: "rec", Kind: Word, Word: []string{"show", "collapse"},
		Does: "pprof, folded, speedscope: `HOW` to write recursion in heap profiles: show, or collapse frames between two " +
			"calls of one function",
	},
	{
		Name: "library", Kind: Word, Does: "pprof, folded, speedscope: with -lib fold, comma-separated `PATTERNS` of " +
			"library functions and paths; default is the built-in list",
	},
	{
		Name: "convert", Kind: Word, Word: texts(sampleprof.Layouts),
		Does: "sample-text, sample-binary, sample-extbinary: `LAYOUT` of functions: keep; flat, with calls in place of " +
			"what was inlined; nest contexts into their callers",
	},
	{Name: "compress", Does: "sample-extbinary: compress all sections"},
	{Name: "md5", Does: "sample-extbinary: write hashes of names instead of names"},
	{Name: "event", Kind: Word, Does: "pprof, folded, speedscope: DCPI `EVENT` to put first; folded has only this one"},
	{
		Name: "guard", Does: "csv: put an apostrophe before text that a spreadsheet would take for a formula, except " +
			"linkage names",
	},
	{
		Name: "cols", Kind: Word, Does: "csv, json, ndjson: comma-separated `NAMES` of the columns, in their order; by " +
			"default all that are usual",
	},
	{
		Name: "table", Kind: Word, Does: "csv, json, ndjson: the `NAME` of the table; by default the first, such as " +
			"functions",
	},
}

// weights are those of call stacks.
var weights = []string{"bytes", "allocations", "lifetime", "accesses"}

// texts are words as text.
func texts[T ~string](words []T) []string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = string(word)
	}
	return list
}

// usual reports whether a value is what an option is when it is not given.
func (o *Option) usual(value string) bool {
	switch o.Kind {
	case Yes:
		return value == "false"
	case Number:
		return value == "0"
	}
	return len(o.Word) > 0 && value == o.Word[0]
}

// Options are what was asked, by the names of options. What was not asked is
// absent or empty.
type Options map[string]string

// Yes reports whether an option was set.
func (o Options) Yes(name string) bool { return o[name] == "true" }

// Number is the value of an option, 0 when absent.
func (o Options) Number(name string) int {
	n, _ := strconv.Atoi(o[name])
	return n
}

// Word is the value of an option, or its default.
func (o Options) Word(name string) string {
	if o[name] != "" {
		return o[name]
	}
	for _, option := range AllOptions {
		if option.Name == name && len(option.Word) > 0 {
			return option.Word[0]
		}
	}
	return ""
}

// OptionError is a wrong value of an option.
type OptionError struct{ Name, Msg string }

// Error is the sentence without the name.
func (e *OptionError) Error() string { return e.Msg }

// Takes reports whether some form of the export takes an option.
func (e *Export) Takes(option string) bool {
	return slices.ContainsFunc(e.Forms, func(f Form) bool { return slices.Contains(f.Takes, option) })
}

// Options are the options that some form of the export takes, in their order.
func (e *Export) Options() []Option {
	return slices.DeleteFunc(slices.Clone(AllOptions), func(o Option) bool { return !e.Takes(o.Name) })
}

// check refuses words that are not known, and options that this family's form of
// the export does not take.
func (f *Form) check(e *Export, given Options) error {
	for _, o := range e.Options() {
		value := given[o.Name]
		if value == "" {
			continue
		}
		if o.Kind == Word && o.Word != nil && !slices.Contains(o.Word, value) {
			return &OptionError{o.Name, fmt.Sprintf("unknown value %q; use one of %s", value, strings.Join(o.Word, ", "))}
		}
		if !o.usual(value) && !slices.Contains(f.Takes, o.Name) {
			return &OptionError{o.Name, fmt.Sprintf("does not apply to %s profiles", profile.Called(f.Family))}
		}
	}
	if given["library"] != "" && given.Word("lib") != "fold" {
		return &OptionError{"library", "applies with -lib fold"}
	}
	return nil
}
