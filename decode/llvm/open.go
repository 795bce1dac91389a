package llvm

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// open opens counters and heap profiles.
//
// One indexed file without a weight streams: its records are read when asked
// for, and ctx governs that too. Everything else is merged in memory as
// llvm-profdata merges it, in the order in which records were first seen
// (instrprof.md §6.1), a few files at a time: nothing of a file is held but what it
// adds. An empty file adds nothing but a finding, also alone.
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
	o := opener{
		ctx: ctx, options: options, files: files, sum: counters{merger: sums.NewMerger()}, profile: &format.Profile{},
	}
	for _, f := range files {
		o.total += uint64(len(f.Data))
		if f.Is.IsProfile() {
			o.profiles++
		}
	}
	if options.Salvage {
		o.sum.merger.TakePartial()
	}
	var err error
	if o.companions, err = companions(ctx, files, &options); err != nil {
		return nil, err
	}
	o.memprofs = newMemProfs(o.companions, len(files))
	procs := Procs(0)
	for at := 0; at < len(files); at += atOnce * procs {
		if err := o.openSome(at, min(at+atOnce*procs, len(files)), procs); err != nil {
			return nil, err
		}
	}
	if err := o.profile.Spared(); err != nil && !o.whole {
		return nil, err
	}
	if err := o.checkUsed(); err != nil {
		return nil, err
	}
	if err := o.memprofs.finish(o.profile); err != nil {
		return nil, err
	}
	o.finish()
	o.checkPrograms()
	o.addCoverage()
	o.addDeclarations()
	return o.profile, o.locateFrames(ctx)
}

// openSome opens files from one to before another, and adds them.
func (o *opener) openSome(from, to, procs int) error {
	ahead, err := o.openAhead(from, to, procs)
	if err != nil {
		return err
	}
	stream := len(o.files) == len(o.companions)+1
	var some []counted
	for i, f := range o.files[from:to] {
		if c := o.companions[from+i]; c != nil {
			o.profile.Inputs = append(o.profile.Inputs, c.input)
			o.done += c.input.Size
			continue
		}
		src, err := o.open(f, ahead[i])
		if err != nil {
			return cmp.Or(o.merge(some, procs), err) // the first file comes first
		}
		if src == nil {
			o.done += uint64(len(f.Data))
			continue
		}
		if stream && f.Weight <= 1 && f.Is.Is(instrprof.FormatIndexed) {
			o.single = streamed{src, o.ctx, f, o.options.Passed}
			continue
		}
		if stream && f.Weight <= 1 && f.Is.Is(instrprof.FormatRaw) {
			if o.single, err = o.oneRaw(f, src); err != nil {
				return err
			}
			if o.single != nil {
				continue
			}
		}
		some = append(some, counted{f, src})
	}
	return o.merge(some, procs)
}

// oneRaw is the only file, which is raw, if its records can stay in it.
func (o *opener) oneRaw(f format.File, src instrprof.Source) (instrprof.Source, error) {
	size := uint64(len(f.Data))
	one, err := sums.OneRaw(o.ctx, f.Name, progress{src, o.report(0, size), size})
	if err != nil {
		return nil, cmp.Or(o.ctx.Err(), f.Is.Format.InFile(f.Name, err))
	}
	if one == nil {
		return nil, nil
	}
	if o.done += size; o.options.Progress != nil {
		o.options.Progress(o.done, o.total)
	}
	return streamed{one, o.ctx, f, nil}, nil
}

// opened is a file of counters that was opened ahead of its turn.
type opened struct {
	src instrprof.Source
	rec *wire.Recorder
	err error
}

// openAhead opens the files of counters among several, all at once: nothing of what
// that does depends on the others, unless they want something of an executable.
func (o *opener) openAhead(from, to, procs int) ([]opened, error) {
	list := make([]opened, to-from)
	if len(o.files) == 1 || len(o.correlators()) > 0 {
		return list, nil
	}
	return list, forEach(o.ctx, len(list), procs, func(i int) error {
		f := o.files[from+i]
		if o.companions[from+i] != nil || !isCounters(f.Is) || f.Is.Empty || f.Is.Err != nil {
			return nil
		}
		rec := o.options.Recorder()
		src, err := o.openCounters(f, rec)
		list[i] = opened{src, rec, err}
		return nil
	})
}

type opener struct {
	ctx         context.Context
	options     format.Options
	files       []format.File
	sum         counters
	profile     *format.Profile
	done, total uint64             // bytes
	single      instrprof.Source   // the one file, which streams
	companions  map[int]*companion // by index of the file
	ran         [][]byte           // see ranIDs
	profiles    int                // of the files
	whole       bool               // one of them was opened
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
func (o *opener) open(f format.File, ahead opened) (instrprof.Source, error) {
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
		return nil, o.spare(f, f.Is.Err)
	case !ours(f.Is):
		other := "instrumentation profiles"
		if i := slices.IndexFunc(o.files, func(f format.File) bool { return f.Is.IsProfile() && ours(f.Is) }); i >= 0 {
			other = o.files[i].Name
		}
		return nil, o.spare(f, f.Is.Format.Refuse(f.Name,
			fmt.Sprintf("%s is %s, which cannot form one profile with %s", f.Name, f.Is.Describe, other), nil))
	}
	if ahead.rec == nil {
		ahead.rec = o.options.Recorder()
	}
	src, info, err := o.read(f, ahead)
	if err == nil && src != nil && f.Optional && o.profiles > 1 && !instrprof.Checked(src) {
		err = readAll(src)
	}
	if err != nil {
		err = o.fault(f, cutShort(f.Data, err))
		return nil, o.spare(f, err)
	}
	o.whole = true
	in.Info = info
	in.Keep(ahead.rec)
	return src, nil
}

// spare leaves out a damaged profile that came along with others. The error is that of one
// that did not, or of the only one.
func (o *opener) spare(f format.File, err error) error {
	return o.profile.Spare(o.files, slices.IndexFunc(o.files,
		func(other format.File) bool { return other.Is == f.Is }), err)
}

// ours reports whether a file is of counters or a heap profile.
func ours(is *format.Recognised) bool { return isCounters(is) || onlyMemProf(is) }

// isCounters reports whether a file is of counters, perhaps with a heap profile.
func isCounters(is *format.Recognised) bool {
	return is.Is(instrprof.FormatRaw, instrprof.FormatIndexed, instrprof.FormatText)
}

// onlyMemProf reports whether a file is a heap profile and nothing else.
func onlyMemProf(is *format.Recognised) bool {
	return is.Is(memprof.FormatRaw, memprof.FormatYAML, memprof.FormatReport)
}

// read reads counters, a heap profile, or both.
func (o *opener) read(f format.File, ahead opened) (instrprof.Source, model.Info, error) {
	if onlyMemProf(f.Is) {
		info, err := o.memprofs.open(o.ctx, f, ahead.rec)
		return nil, info, err
	}
	src, err := ahead.src, ahead.err
	if src == nil && err == nil {
		src, err = o.openCounters(f, ahead.rec)
	}
	if err != nil {
		return nil, model.Info{}, err
	}
	o.profile.Find(o.memprofs.openSection(f, src.Info(), ahead.rec)...)
	info := src.Info().Info
	info.Families = familiesOf(src.Info())
	return src, info, nil
}

// fault names the file of an error: f, unless the error is about an executable.
func (o *opener) fault(f format.File, err error) error {
	fault, ok := model.FaultIn(err)
	switch {
	case ok && fault.File != "":
		return o.formatOf(fault.File, f).InFile(fault.File, err)
	case ok && fault.Kind == model.KindIncompatible:
		fault.Err = format.Hint("give the executable that ran: this is another program, or was rebuilt after the profile " +
			"was recorded")
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

func (o *opener) openCounters(f format.File, rec *wire.Recorder) (instrprof.Source, error) {
	if len(o.files) > 1 && !o.options.Salvage && f.Is.Is(instrprof.FormatRaw) {
		return o.sum.merger.OpenRun(f.Data, o.correlators(), rec, false)
	}
	return openCounters(f, o.correlators(), rec, o.options.Salvage)
}

func openCounters(f format.File, correlators []*instrprof.Correlator, rec *wire.Recorder,
	salvage bool) (instrprof.Source, error) {
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

// merge adds files to the profile.
func (o *opener) merge(files []counted, procs int) error {
	size := uint64(0)
	for i, f := range files {
		n := uint64(len(f.file.Data))
		files[i].src = progress{Source: f.src, report: o.report(size, n), size: n}
		size += n
	}
	errs, err := o.sum.add(o.ctx, files, procs)
	for _, fault := range errs {
		if fault != nil {
			return fault
		}
	}
	if err != nil {
		return err
	}
	o.done += size
	if o.options.Progress != nil && len(files) > 0 {
		o.options.Progress(o.done, o.total)
	}
	return nil
}

// finish makes the profile of what was merged.
func (o *opener) finish() {
	if o.single != nil {
		complete(o.profile, o.single.Info(), o.single)
		return
	}
	heap, hasHeap := format.PartOf[*memprof.Profile](o.profile)
	if o.sum.files == 0 && hasHeap {
		o.profile.Info = memprofInfo(heap)
		o.profile.Kept = instrprof.NoRecords(&instrprof.Info{Info: o.profile.Info, Variant: instrprof.MemProf})
		return
	}
	src := o.sum.merger.Source()
	if o.sum.files == 0 && len(o.profile.Inputs) > 0 { // every file was empty
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
