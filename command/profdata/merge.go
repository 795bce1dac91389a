package profdata

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"proflens/command/llvmerr"
	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
	"proflens/decode/llvm"
	"proflens/decode/model"
	"proflens/encode"
)

// weightedInput is a file to be merged.
type weightedInput struct {
	name   string
	weight uint64
}

// merge adds profiles up.
func (t *tool) merge() error {
	inputs, err := t.weightedInputs()
	if err != nil {
		return err
	}
	if len(inputs) == 0 {
		return &llvmerr.Fault{Msg: "no input files specified. See llvm-profdata merge -help"}
	}
	if t.DumpInputs {
		for _, in := range inputs {
			fmt.Fprintf(t.std.Out, "%d,%s\n", in.weight, in.name)
		}
		return nil
	}
	if t.names, err = t.filter(); err != nil {
		return err
	}
	if t.remap, err = t.remapper(); err != nil {
		return err
	}
	if t.Kind == "sample" {
		return t.mergeSamples(inputs)
	}
	if t.Supplement != "" {
		switch {
		case t.Output == "-":
			return &llvmerr.Fault{Msg: "cannot write indexed profdata format to stdout"}
		case len(inputs) != 1:
			return &llvmerr.Fault{Msg: "expect one input to be an instr profile"}
		case inputs[0].weight != 1:
			return &llvmerr.Fault{Msg: "expect instr profile doesn't have weight"}
		}
	}
	if t.Form == "gcc" {
		return &llvmerr.Fault{Msg: "unknown format is specified"}
	}
	if t.RandomHotness {
		if t.HotnessSeed == 0 {
			t.HotnessSeed = uint64(time.Now().Unix())
		}
		fmt.Fprintf(t.std.Err, "random hotness seed = %d\n", uint32(t.HotnessSeed))
	}
	return t.mergeCounters(inputs)
}

// weightedInputs are all files to be merged: those named as arguments, those with a
// weight, those of a list.
func (t *tool) weightedInputs() (inputs []weightedInput, err error) {
	add := func(name string, weight uint64) error {
		info, err := os.Stat(name)
		switch {
		case name == "-":
			inputs = append(inputs, weightedInput{name, weight})
			return nil
		case err != nil:
			return &llvmerr.Fault{Where: name, Msg: llvmerr.System(err)}
		case !info.IsDir():
			inputs = append(inputs, weightedInput{name, weight})
			return nil
		}
		return filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				inputs = append(inputs, weightedInput{path, weight})
			}
			return err
		})
	}
	for _, name := range t.others {
		if err := add(name, 1); err != nil {
			return nil, err
		}
	}
	for _, entry := range t.Weighted {
		if err == nil {
			err = addWeighted(entry, add)
		}
	}
	if t.InputFiles != "" && err == nil {
		var list []byte
		if list, err = t.read(t.InputFiles, t.std.In); err == nil {
			err = Listed(list, add)
		}
	}
	if _, wrong := errors.AsType[*WeightError](err); wrong {
		err = &llvmerr.Fault{Msg: "input weight must be a positive integer"}
	}
	return inputs, err
}

// previousVersion is the indexed version that LLVM 22 writes for -write-prev-version.
const previousVersion = 11

// mergeCounters merges instrumentation profiles, and heap profiles with their program.
func (t *tool) mergeCounters(inputs []weightedInput) error {
	if err := t.checkCorrelation(); err != nil {
		return err
	}
	if t.DebugInfo != "" {
		if _, _, err := t.probes(t.DebugInfo, "correlated file", t.MostWarnings); err != nil {
			return err
		}
	}
	fleet := llvm.NewFleet(llvm.FleetOptions{
		Faulty: llvm.AsLLVM, StandIn: true, Tell: t.tellRecord,
		Traces: &sums.TraceLimits{
			Traces: int(min(t.Reservoir, math.MaxInt32)), Functions: int(min(t.TraceLength, math.MaxInt32)),
		},
	})
	t.apart = t.Threads > 1 && t.Threads >= uint64(len(inputs))
	var files []decode.Lazy
	for _, in := range inputs {
		files = append(files, t.lazy(in))
	}
	errs, err := decode.AddTo(t.ctx, fleet, llvm.AsLLVM, files)
	if errors.Is(err, llvm.ErrNotCounters) {
		return t.mergeHeaps(inputs)
	}
	if err != nil {
		return err
	}
	for _, f := range t.between {
		if !t.hinted[f.Msg] {
			t.hinted[f.Msg] = true
			t.warn(f)
		}
	}
	if err := t.judge(inputs, errs); err != nil {
		return err
	}
	sum := fleet.Profile(t.Sparse && t.names.none()) // what never ran is counted among the filtered
	if err := t.excessive(sum.Findings(), len(inputs)); err != nil {
		return err
	}
	if t.Output == "-" && t.Form != "text" {
		return &llvmerr.Fault{Msg: "cannot write indexed profdata format to stdout"}
	}
	src := t.selected(llvm.SourceOf(sum))
	if t.Sparse && !t.names.none() {
		src = executed(src)
	}
	if t.Supplement != "" {
		if src, err = t.supplementBy(t.Supplement, src); err != nil {
			return err
		}
	}
	if t.KeepVTables {
		addVTableNames(src)
	}
	return t.printed(func(w io.Writer) error {
		if t.Form == "text" {
			var vtables [][]byte
			if t.KeepVTables {
				vtables = src.Info().VTableNames
			}
			err = encode.Proftext(w, src, vtables...)
		} else {
			o := encode.ProfdataOptions{Lossy: true, KeepVTableNames: t.KeepVTables}
			if t.Previous {
				o.Version = previousVersion
			}
			_, err = encode.Profdata(w, src, o)
		}
		if err == nil && repeatsSizes(src) {
			fmt.Fprintln(t.std.Err, "warning: invalid profile created. Please file a bug at: "+
				"https://github.com/llvm/llvm-project/issues/ and include the profraw files that caused this error.")
		}
		return err
	})
}

// addVTableNames gives a sum the names of vtables that a text has as values alone.
func addVTableNames(src instrprof.Source) {
	info, symbols, known := src.Info(), encode.SymbolsOf(src), map[uint64]bool{}
	for _, name := range info.VTableNames {
		known[instrprof.NameRef(name)] = true
	}
	for f := range src.Functions() {
		for _, site := range f.Sites[instrprof.VTableTarget] {
			for _, v := range site {
				name := symbols.Of(v.Value)
				if len(name) > 0 && !known[v.Value] {
					known[v.Value], info.VTableNames = true, append(info.VTableNames, bytes.Clone(name))
				}
			}
		}
	}
	slices.SortFunc(info.VTableNames, bytes.Compare)
}

// excessive prints which files have a counter that no program counts up to, and ends the
// merge if that is too much.
func (t *tool) excessive(findings []model.Finding, inputs int) error {
	failed := 0
	for _, f := range findings {
		if f.Code == "merge.mixed_kinds" { // which LLVM 22 adds up all the same
			t.note(f.Message)
		}
		if f.Code != "raw.counter_value_too_large" {
			continue
		}
		failed++
		t.warn(&llvmerr.Fault{
			Where: f.File, Msg: "excessively large counter value suggests corrupted profile data: " + f.Found, More: f.Message,
		})
	}
	return t.tooMany(failed, inputs)
}

// tooMany is the error for so many files that failed.
func (t *tool) tooMany(failed, inputs int) error {
	if failed > 0 && t.FailureMode == "any" || failed == inputs && t.FailureMode == "all" {
		return &llvmerr.Fault{Msg: "no profile can be merged"}
	}
	return nil
}

// repeatsSizes reports whether some site has a size twice, which LLVM takes for a fault of
// its own.
func repeatsSizes(src instrprof.Source) bool {
	for f := range src.Functions() {
		for _, site := range f.Sites[instrprof.MemOPSize] { // of a sum: of no more than 255 values
			for i, v := range site {
				if slices.ContainsFunc(site[:i], func(o instrprof.Value) bool { return o.Value == v.Value }) {
					return true
				}
			}
		}
	}
	return false
}

// lazy is an input as it is opened in turn.
func (t *tool) lazy(in weightedInput) decode.Lazy {
	lazy := decode.Lazy{Name: in.name, Weight: in.weight}
	read := func() ([]byte, func(), error) {
		if in.name == "-" {
			data, err := t.read(in.name, t.std.In)
			return data, nil, err
		}
		return t.lend(in.name)
	}
	programs, unprogrammed := t.programs(in.name)
	if t.remap == nil && len(programs) == 0 && unprogrammed == nil {
		lazy.Open = read
		return lazy
	}
	lazy.Profile = func() (*format.Profile, func(), error) {
		if unprogrammed != nil {
			return nil, nil, unprogrammed
		}
		data, done, err := read()
		if err != nil {
			return nil, done, err
		}
		list := append([]format.File{{Name: in.name, Data: data}}, programs...)
		p, err := decode.Open(t.ctx, list, format.Options{})
		if err == nil && t.remap != nil {
			remapProfile(p, t.remap)
		}
		return p, done, err
	}
	return lazy
}

// judge prints what is wrong with inputs, and ends the merge if that is too much.
func (t *tool) judge(inputs []weightedInput, errs []error) error {
	failed := 0
	if slices.ContainsFunc(errs, llvmerr.KindsDiffer) && t.Threads > 1 {
		// With several threads LLVM does not know which file it was.
		return &llvmerr.Fault{Msg: llvmerr.Instr[model.KindUnsupportedVersion]}
	}
	for i, err := range errs {
		if err == nil || model.KindOf(err) == model.KindEmpty {
			continue
		}
		failed++
		t.warn(t.faultOf(inputs[i].name, err))
	}
	return t.tooMany(failed, len(inputs))
}

// faultOf is why a file is no profile of counters, as LLVM sees it, which takes any text for one.
func (t *tool) faultOf(name string, err error) *llvmerr.Fault {
	if data, fault := t.read(name, t.std.In); fault == nil && model.KindOf(err) == model.KindUnrecognizedFormat {
		if fault := t.unreadable(name, data); fault != nil {
			err = fault
		}
	}
	return llvmerr.Of(name, err, llvmerr.Instr)
}

// unreadable is why not all of a profile of counters can be read; nil where it can.
func (t *tool) unreadable(name string, data []byte) error {
	src, err := t.openInstr(name, data)
	if err == nil {
		_, err = sums.Of(t.ctx, src)
	}
	return err
}

// tellRecord prints why a record cannot be added as it is, and the first time what to do.
func (t *tool) tellRecord(input string, function []byte, kind model.Kind, own bool) {
	said := llvmerr.Instr[kind]
	if t.apart && !own { // LLVM, which adds the sums of its threads at the end, names neither file nor function
		if !slices.ContainsFunc(t.between, func(f *llvmerr.Fault) bool { return f.Msg == said }) {
			more := fmt.Sprintf("%s: %s is the first of these", input, function)
			t.between = append(t.between, &llvmerr.Fault{Msg: said, More: more})
		}
		return
	}
	fmt.Fprintf(t.std.Err, "%s: %s: %s\n", input, function, said)
	if !t.hinted[said] && kind != "counter_overflow" && kind != "bitmap_mismatch" {
		fmt.Fprintln(t.std.Err, "Make sure that all profile data to be merged is generated from the same binary.")
	}
	t.hinted[said] = true
}

// executed is a source without the functions that never ran.
func executed(src instrprof.Source) instrprof.Source {
	ran := map[string]bool{}
	for f := range src.Functions() {
		if f != nil && (slices.ContainsFunc(f.Counters, func(n uint64) bool { return n > 0 }) ||
			slices.ContainsFunc(f.Bitmap, func(b byte) bool { return b > 0 })) {
			ran[string(f.Name)] = true
		}
	}
	return &changed{src, func(f *instrprof.Function) bool { return ran[string(f.Name)] }}
}
