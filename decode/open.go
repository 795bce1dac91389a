package decode

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// File is one input: its bytes, usually a memory map, which must stay unchanged
// as long as the profile is in use.
type File struct {
	Name   string
	Data   []byte
	Weight uint64 // counts are multiplied by it; 0 means 1
}

// Options are for [Open].
type Options struct {
	// Progress is told now and then how many bytes of how many are decoded.
	Progress func(done, total uint64)
	// Record keeps sections and header fields of every file in Profile.Inputs.
	Record bool
	// Salvage decodes the readable beginning of raw files that end too soon,
	// instead of refusing them. Info.Partial then says what there is of them.
	Salvage bool
}

// Input is what is known of one of a profile's files.
type Input struct {
	Name     string
	Size     uint64
	Info     *model.Info
	Sections []model.Section // only with Options.Record
}

// Profile is a decoded profile: a source of records, made of one file or
// several.
type Profile struct {
	model.Source
	Inputs []Input
	// DCPI is the database of a profile of that family, whose Source has no
	// records; else nil.
	DCPI *model.DCPIDatabase
	// MIP is a Machine IR Profile, whose Source has no records; else nil.
	MIP *model.MIP
	// MemProf is the heap profile, which may stand beside the records of Source;
	// nil when there is none.
	MemProf   *model.HeapProfile
	heapFault error // why there is none though a file has one
	findings  []model.Finding
}

// Findings are those of the inputs and of the records. See [model.Source].
func (p *Profile) Findings() []model.Finding {
	return append(p.findings[:len(p.findings):len(p.findings)], p.Source.Findings()...)
}

// Unwrap returns the source without the inputs, for encoders that know how to
// use one that is merged already.
func (p *Profile) Unwrap() model.Source { return p.Source }

// Open decodes files into one profile.
//
// One indexed file without a weight streams: its records are read when asked
// for, and ctx governs that too. Everything else is merged in memory as
// llvm-profdata merges it, in the order in which records were first seen
// (instrprof.md §6.1). An empty file adds nothing but a finding, also alone.
//
// Files of DCPI form a database; executables and listings of nm beside them
// name its procedures.
//
// Machine IR Profiles are joined: a map, or the program that has it, with the
// raw files of its runs, and profiles with each other (mip.md §5, §6).
//
// An ELF executable may stand beside a raw profile that left its records and
// names in it (instrprof.md §2.10), before or after it, and beside several of
// the same program. Which is whose, the build ids tell, or else the size of the
// counters.
//
// Heap profiles are merged by call stack, and may stand beside counters. Raw
// ones find their executables among the files by build id, and are symbolized
// with those; without, they have addresses.
//
// An error about a file holds a [*model.FormatError] which names it; files
// that cannot form one profile are [model.KindIncompatible]. The error is the
// context's when that ended first.
func Open(ctx context.Context, files []File, o Options) (*Profile, error) {
	switch familyOf(files) {
	case model.DCPIFam:
		return openDCPI(ctx, files, o)
	case model.MIPFam:
		return openMIP(ctx, files, o)
	}
	return openInstr(ctx, files, o)
}

// familyOf finds which kind of profile the files form: that of the first which
// is a profile, whatever stands beside it.
func familyOf(files []File) model.Family {
	for _, f := range files {
		is := Recognise(f.Name, f.Data)
		if is.Err == nil && !is.Empty && len(is.Families) > 0 {
			return is.Families[0]
		}
	}
	return model.Instr
}

// openInstr opens an instrumentation profile; see [Open].
func openInstr(ctx context.Context, files []File, o Options) (*Profile, error) {
	opener := opener{ctx: ctx, options: o, merger: instrprof.NewMerger(), profile: &Profile{}}
	for _, f := range files {
		opener.total += uint64(len(f.Data))
	}
	if o.Salvage {
		opener.merger.TakePartial()
	}
	var err error
	if opener.companions, err = companions(ctx, files, o.Record); err != nil {
		return nil, err
	}
	opener.heaps = newHeaps(opener.companions, len(files))
	stream := len(files) == 1 && files[0].Weight <= 1
	for i, f := range files {
		if c := opener.companions[i]; c != nil {
			opener.note(f, c)
			continue
		}
		src, err := opener.open(f)
		if err != nil {
			return nil, err
		}
		if src == nil {
			opener.done += uint64(len(f.Data))
			continue
		}
		if stream && src.Info().Format == model.LLVMIndexed {
			opener.profile.Source = cancelled{src, ctx, f.Name}
			return opener.profile, opener.heaps.finish(opener.profile)
		}
		if err := opener.merge(f, src); err != nil {
			return nil, err
		}
	}
	for i, f := range files {
		if c := opener.companions[i]; c != nil && !c.used() {
			return nil, unneeded(f, c, files)
		}
	}
	if err := opener.heaps.finish(opener.profile); err != nil {
		return nil, err
	}
	opener.profile.Source = opener.source()
	return opener.profile, nil
}

type opener struct {
	ctx         context.Context
	options     Options
	merger      *instrprof.Merger
	profile     *Profile
	done, total uint64 // bytes
	merged      []File
	infos       []*model.Info
	companions  map[int]*companion // by index of the file
	heaps       *heaps
}

// note keeps an executable as an input of the profile.
func (o *opener) note(f File, c *companion) {
	size := uint64(len(f.Data))
	o.profile.Inputs = append(o.profile.Inputs, Input{
		Name: f.Name, Size: size, Info: c.image.Info(), Sections: c.sections,
	})
	o.done += size
}

// correlators are those of the executables, in the order of the files.
func (o *opener) correlators() []*instrprof.Correlator {
	var list []*instrprof.Correlator
	for _, i := range slices.Sorted(maps.Keys(o.companions)) {
		if c := o.companions[i].correlator; c != nil {
			list = append(list, c)
		}
	}
	return list
}

// open opens one file and notes it as an input. An empty one has no source, nor
// has one that is a heap profile alone.
func (o *opener) open(f File) (model.Source, error) {
	if err := o.ctx.Err(); err != nil {
		return nil, err
	}
	in := Input{Name: f.Name, Size: uint64(len(f.Data))}
	is := Recognise(f.Name, f.Data)
	if is.Err != nil {
		return nil, is.Err
	}
	if is.Families[0] == model.MIPFam || is.Families[0] == model.DCPIFam {
		other := "instrumentation profiles"
		if len(o.profile.Inputs) > 0 {
			other = o.profile.Inputs[0].Name
		}
		return nil, &fileError{is.Format, &model.FormatError{Kind: model.KindIncompatible, File: f.Name, Section: "header",
			Msg: fmt.Sprintf("%s is %s, which cannot form one profile with %s", f.Name, is.Describe, other)}}
	}
	if is.Empty {
		in.Info = emptyInfo()
		o.profile.Inputs = append(o.profile.Inputs, in)
		o.profile.findings = append(o.profile.findings, emptyFinding(f.Name))
		return nil, nil
	}
	var rec *wire.Recorder
	if o.options.Record {
		rec = &wire.Recorder{}
	}
	var src model.Source
	var err error
	if isHeap(is.Format) {
		in.Info, err = o.heaps.open(o.ctx, is.Format, f, rec)
	} else if src, err = openFormat(is.Format, f.Data, o.correlators(), rec, o.options.Salvage); err == nil {
		in.Info = src.Info()
		o.profile.findings = append(o.profile.findings, o.heaps.openSection(f.Name, in.Info, rec)...)
	}
	if err != nil {
		return nil, o.fault(f, is.Format, cutShort(f.Data, err))
	}
	if rec != nil {
		in.Sections = rec.Sections()
	}
	o.profile.Inputs = append(o.profile.Inputs, in)
	return src, nil
}

// fault names the file of an error: f, unless the error is about an executable.
func (o *opener) fault(f File, format model.Format, err error) error {
	fault, ok := errors.AsType[*model.FormatError](err)
	switch {
	case ok && fault.File != "":
		return inFile(fault.File, model.ELF, err)
	case ok && fault.Kind == model.KindIncompatible:
		fault.Err = hint("give the executable that was run: this one is of another program, or was built again since the profile was recorded")
	}
	return inFile(f.Name, format, err)
}

func openFormat(format model.Format, data []byte, correlators []*instrprof.Correlator, rec *wire.Recorder, salvage bool) (model.Source, error) {
	switch format {
	case model.LLVMRaw:
		if salvage {
			return instrprof.SalvageRaw(data, correlators, rec)
		}
		return instrprof.OpenCorrelated(data, correlators, rec)
	case model.LLVMIndexed:
		return instrprof.OpenIndexed(data, rec)
	case model.LLVMText:
		return instrprof.OpenText(data, rec)
	}
	return nil, fmt.Errorf("no decoder for format %q", format)
}

// merge adds a file's source to the profile.
func (o *opener) merge(f File, src model.Source) error {
	counted := progress{Source: src, report: o.report(uint64(len(f.Data)))}
	err := o.merger.Add(o.ctx, f.Name, counted, f.Weight)
	if model.KindOf(err) == model.KindUnsupportedVersion && err != nil {
		return o.incompatible(f, src.Info(), err)
	}
	if err != nil {
		return inFile(f.Name, src.Info().Format, err)
	}
	o.merged, o.infos = append(o.merged, f), append(o.infos, src.Info())
	o.done += uint64(len(f.Data))
	if o.options.Progress != nil {
		o.options.Progress(o.done, o.total)
	}
	return nil
}

// incompatible names the file with which f cannot be merged.
func (o *opener) incompatible(f File, info *model.Info, err error) error {
	cause, _ := errors.AsType[*model.FormatError](err)
	other := o.merged[0].Name
	for i, in := range o.infos {
		pair := instrprof.NewMerger()
		if pair.Add(o.ctx, "", headerOnly{info: in}, 1) == nil && pair.Add(o.ctx, "", headerOnly{info: info}, 1) != nil {
			other = o.merged[i].Name
			break
		}
	}
	return &fileError{info.Format, &model.FormatError{
		Kind: model.KindIncompatible, File: f.Name, Section: "header", Err: err,
		Msg: fmt.Sprintf("%s cannot form one profile with %s: %s", f.Name, other, cause.Msg),
	}}
}

// headerOnly is a file's kind without its records.
type headerOnly struct {
	model.Empty
	info *model.Info
}

func (h headerOnly) Info() *model.Info { return h.info }

// source is the merged profile, or an empty one when every file was empty or a
// heap profile.
func (o *opener) source() model.Source {
	heap := o.profile.MemProf
	switch {
	case len(o.merged) == 0 && heap != nil:
		return headerOnly{info: heapInfo(heap)}
	case len(o.merged) == 0 && len(o.profile.Inputs) > 0:
		return headerOnly{info: o.profile.Inputs[0].Info}
	}
	src := o.merger.Source()
	if heap != nil && len(o.heaps.profiles) > 1 {
		o.profile.ownHeap(src.Info())
	} else if heap != nil {
		inHeap(src.Info())
	}
	return src
}

// emptyInfo is what is known of a file without bytes: llvm-profdata takes it
// for a raw profile that has not been written yet.
func emptyInfo() *model.Info {
	return &model.Info{Format: model.LLVMRaw, Families: instr()}
}

func emptyFinding(name string) model.Finding {
	a := adviceOn("raw", model.KindEmpty)
	return model.Finding{
		Severity: model.Warning, Code: "raw." + string(model.KindEmpty), Kind: model.KindEmpty, File: name,
		Message: "the file is empty and adds nothing", Cause: a.cause, Remedy: a.remedy,
	}
}

// reportEvery is how many records pass between two reports of progress, and
// two looks at the context.
const reportEvery = 4096

// report says how far one file of size bytes is, by its records.
func (o *opener) report(size uint64) func(records, of uint64) {
	if o.options.Progress == nil {
		return nil
	}
	start := o.done
	return func(records, of uint64) {
		part := float64(records) / float64(max(of, records, 1))
		o.options.Progress(start+uint64(part*float64(size)), o.total)
	}
}

// progress is a source that reports how many records were read.
type progress struct {
	model.Source
	report func(records, of uint64)
}

// Functions implements [model.Source].
func (p progress) Functions() iter.Seq2[*model.Function, error] {
	if p.report == nil {
		return p.Source.Functions()
	}
	return func(yield func(*model.Function, error) bool) {
		n, of := uint64(0), p.Info().Records
		for f, err := range p.Source.Functions() {
			if n++; n%reportEvery == 0 {
				p.report(n, of)
			}
			if !yield(f, err) {
				return
			}
		}
	}
}

// cancelled is a source whose records end with the context, and whose errors
// name the file.
type cancelled struct {
	model.Source
	ctx  context.Context
	name string
}

// Functions implements [model.Source].
func (c cancelled) Functions() iter.Seq2[*model.Function, error] {
	return func(yield func(*model.Function, error) bool) {
		n := 0
		for f, err := range c.Source.Functions() {
			if err != nil {
				yield(nil, inFile(c.name, c.Info().Format, err))
				return
			}
			if n++; n%reportEvery == 0 && c.ctx.Err() != nil {
				yield(nil, c.ctx.Err())
				return
			}
			if !yield(f, nil) {
				return
			}
		}
	}
}
