package llvm

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// open opens counters and heap profiles.
//
// One indexed file without a weight streams: its records are read when asked
// for, and ctx governs that too. Everything else is merged in memory as
// llvm-profdata merges it, in the order in which records were first seen
// (instrprof.md §6.1). An empty file adds nothing but a finding, also alone.
//
// An executable may stand beside a raw profile that left its records and names in
// it (instrprof.md §2.10), before or after it, and beside several of the same
// program: of ELF, of Mach-O, where it may be a .dSYM bundle's, or of Windows. Which is whose, the build IDs tell, or else the size of the
// counters.
//
// Heap profiles are merged by call stack, and may stand beside counters. Raw
// ones find their executables among the files by build ID, and are symbolized
// with those; without, they have addresses.
func open(ctx context.Context, files []format.File, options format.Options) (*format.Profile, error) {
	o := opener{ctx: ctx, options: options, files: files, merger: instrprof.NewMerger(), profile: &format.Profile{}}
	for _, f := range files {
		o.total += uint64(len(f.Data))
	}
	if options.Salvage {
		o.merger.TakePartial()
	}
	var err error
	if o.companions, err = companions(ctx, files, &options); err != nil {
		return nil, err
	}
	o.memprofs = newMemProfs(o.companions, len(files))
	stream := len(files) == len(o.companions)+1
	for i, f := range files {
		if c := o.companions[i]; c != nil {
			o.profile.Inputs = append(o.profile.Inputs, c.input)
			o.done += c.input.Size
			continue
		}
		src, err := o.open(f)
		if err != nil {
			return nil, err
		}
		if src == nil {
			o.done += uint64(len(f.Data))
			continue
		}
		if stream && f.Weight <= 1 && f.Is.Is(instrprof.FormatIndexed) {
			o.single = cancelled{src, ctx, f.Name}
			continue
		}
		if err := o.merge(f, src); err != nil {
			return nil, err
		}
	}
	if err := o.checkUsed(); err != nil {
		return nil, err
	}
	if err := o.memprofs.finish(o.profile); err != nil {
		return nil, err
	}
	o.finish()
	o.addCoverage()
	o.addDeclarations()
	if err := o.locateFrames(ctx); err != nil {
		return nil, err
	}
	return o.profile, nil
}

type opener struct {
	ctx         context.Context
	options     format.Options
	files       []format.File
	merger      *instrprof.Merger
	profile     *format.Profile
	done, total uint64           // bytes
	single      instrprof.Source // the one file, which streams
	merged      []format.File
	infos       []*instrprof.Info
	companions  map[int]*companion // by index of the file
	memprofs    *heaps
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

// open opens one file and notes it as an input. One without counters has no
// source: an empty one, a heap profile alone, and what is left out.
func (o *opener) open(f format.File) (instrprof.Source, error) {
	if err := o.ctx.Err(); err != nil {
		return nil, err
	}
	in := format.NewInput(f)
	defer func() { o.profile.Inputs = append(o.profile.Inputs, in) }()
	switch {
	case f.Is.Empty:
		in = o.profile.AddNothing(f)
		return nil, nil
	case f.Optional && f.Is.Foreign():
		in = o.profile.LeaveOut(f)
		return nil, nil
	case f.Is.Err != nil:
		return nil, f.Is.Err
	case !ours(f.Is):
		other := "instrumentation profiles"
		if len(o.profile.Inputs) > 0 {
			other = o.profile.Inputs[0].Name
		}
		return nil, f.Is.Format.Refuse(f.Name, fmt.Sprintf("%s is %s, which cannot form one profile with %s", f.Name, f.Is.Describe, other), nil)
	}
	rec := o.options.Recorder()
	src, info, err := o.read(f, rec)
	if err != nil {
		return nil, o.fault(f, cutShort(f.Data, err))
	}
	in.Info = info
	in.Keep(rec)
	return src, nil
}

// ours reports whether a file is of counters or a heap profile.
func ours(is *format.Recognised) bool {
	return is.Is(instrprof.FormatRaw, instrprof.FormatIndexed, instrprof.FormatText) || onlyMemProf(is)
}

// onlyMemProf reports whether a file is a heap profile and nothing else.
func onlyMemProf(is *format.Recognised) bool {
	return is.Is(memprof.FormatRaw, memprof.FormatYAML, memprof.FormatReport)
}

// read reads counters, a heap profile, or both.
func (o *opener) read(f format.File, rec *wire.Recorder) (instrprof.Source, model.Info, error) {
	if onlyMemProf(f.Is) {
		info, err := o.memprofs.open(o.ctx, f, rec)
		return nil, info, err
	}
	src, err := openCounters(f, o.correlators(), rec, o.options.Salvage)
	if err != nil {
		return nil, model.Info{}, err
	}
	o.profile.Find(o.memprofs.openSection(f, src.Info(), rec)...)
	info := src.Info().Info
	info.Families = familiesOf(src.Info())
	return src, info, nil
}

// fault names the file of an error: f, unless the error is about an executable.
func (o *opener) fault(f format.File, err error) error {
	fault, ok := errors.AsType[*model.FormatError](err)
	switch {
	case ok && fault.File != "":
		return o.formatOf(fault.File, f).InFile(fault.File, err)
	case ok && fault.Kind == model.KindIncompatible:
		fault.Err = format.Hint("give the executable that ran: this is another program, or was rebuilt after the profile was recorded")
	}
	return f.Is.Format.InFile(f.Name, err)
}

// formatOf is the format of a file, which a fault names, or else of f.
func (o *opener) formatOf(name string, f format.File) *format.Format {
	for i, c := range o.companions {
		if c.input.Name == name {
			return o.files[i].Is.Format
		}
	}
	return f.Is.Format
}

func openCounters(f format.File, correlators []*instrprof.Correlator, rec *wire.Recorder, salvage bool) (instrprof.Source, error) {
	switch {
	case f.Is.Is(instrprof.FormatIndexed):
		return instrprof.OpenIndexed(f.Data, rec)
	case f.Is.Is(instrprof.FormatText):
		return instrprof.OpenText(f.Data, rec)
	case salvage:
		return instrprof.SalvageRaw(f.Data, correlators, rec)
	}
	return instrprof.OpenCorrelated(f.Data, correlators, rec)
}

// merge adds a file's source to the profile.
func (o *opener) merge(f format.File, src instrprof.Source) error {
	counted := progress{Source: src, report: o.report(uint64(len(f.Data))), size: uint64(len(f.Data))}
	err := o.merger.Add(o.ctx, f.Name, counted, f.Weight)
	if err != nil && model.KindOf(err) == model.KindUnsupportedVersion {
		return o.incompatible(f, src.Info(), err)
	}
	if err != nil {
		return f.Is.Format.InFile(f.Name, err)
	}
	o.merged, o.infos = append(o.merged, f), append(o.infos, src.Info())
	o.done += uint64(len(f.Data))
	if o.options.Progress != nil {
		o.options.Progress(o.done, o.total)
	}
	return nil
}

// incompatible names the file with which f cannot be merged.
func (o *opener) incompatible(f format.File, info *instrprof.Info, err error) error {
	other := o.merged[0].Name
	for i, in := range o.infos {
		if instrprof.KindsDiffer(in, info) != nil {
			other = o.merged[i].Name
			break
		}
	}
	cause, _ := errors.AsType[*model.FormatError](err)
	return f.Is.Format.Refuse(f.Name, fmt.Sprintf("%s cannot form one profile with %s: %s", f.Name, other, cause.Msg), err)
}

// finish makes the profile of what was merged.
func (o *opener) finish() {
	if o.single != nil {
		complete(o.profile, o.single.Info(), o.single)
		return
	}
	heap, hasHeap := format.PartOf[*memprof.Profile](o.profile)
	if len(o.merged) == 0 && hasHeap {
		o.profile.Info = memprofInfo(heap)
		o.profile.Kept = instrprof.NoRecords(&instrprof.Info{Info: o.profile.Info, Variant: instrprof.MemProf})
		return
	}
	src := o.merger.Source()
	if len(o.merged) == 0 && len(o.profile.Inputs) > 0 { // every file was empty
		o.profile.Info = o.profile.Inputs[0].Info
		src.Info().Info = o.profile.Info
		o.profile.Add(instrprof.Family, src)
		o.profile.Kept = src
		return
	}
	if len(o.memprofs.profiles) > 1 {
		forgetSection(src.Info())
	}
	complete(o.profile, src.Info(), src)
}

// complete adds counters to a profile that has its heap profile, if any: none
// where the files have no records. Then it says what the profile is.
func complete(p *format.Profile, info *instrprof.Info, src instrprof.Source) {
	_, hasHeap := format.PartOf[*memprof.Profile](p)
	if hasHeap || p.Faults[memprof.Family] != nil {
		info.Variant |= instrprof.MemProf
	}
	info.Name()
	p.Kept, p.Info = src, info.Info
	p.Info.Families = slices.Clone(info.Families)
	if len(info.Families) > 0 {
		p.Parts = slices.Insert(p.Parts, 0, format.Part{Family: instrprof.Family, Records: src})
	} else {
		p.Find(src.Findings()...)
	}
	if hasHeap || p.Faults[memprof.Family] != nil {
		p.Info.Families = append(p.Info.Families, memprof.Family)
	}
}

// SourceOf is the records of a profile as an indexed file has them: none for a
// heap profile alone. It is nil for profiles of other suites.
func SourceOf(p *format.Profile) instrprof.Source {
	src, _ := p.Kept.(instrprof.Source)
	return src
}

// forgetSection is for counters whose heap profile is no more the section of one
// file.
func forgetSection(info *instrprof.Info) {
	info.MemProfSection, info.MemProf = model.Section{}, nil
	info.Variant &^= instrprof.MemProf
}
