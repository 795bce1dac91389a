package llvm

import (
	"context"
	"errors"

	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// Fleet adds up the counters of files, however many they are: each is opened, added
// and closed, and what is kept is the sum. The sum has the bytes of llvm-profdata merge
// with one thread; with several, that tool adds in another order, which shows where a
// value site sees more values than it keeps.
type Fleet struct {
	o         FleetOptions
	sum       counters
	allowance *wire.Allowance
	found     []model.Finding // about the first files that add nothing
	left      leftOut
}

// FleetOptions are for [NewFleet].
type FleetOptions struct {
	Procs       int // goroutines; 0 is one for each processor
	TakePartial bool
	Faulty      Faulty
	// Apart refuses to add front-end to IR instrumentation too, which llvm-profdata only
	// tells apart in text. Counts and single bytes are apart but for StandIn.
	Apart bool
	// StandIn adds what LLVM 22 does though it means nothing: single bytes to counts, and the
	// bitmap of a text record to the next that has none ([instrprof.Text.KeepBitmaps]).
	StandIn bool
	// Traces limits the temporal traces that are kept; nil keeps as many as llvm-profdata.
	Traces *sums.TraceLimits
	// Tell is told of each record that cannot be added as it is; see [sums.Merger.Tell].
	Tell func(input string, function []byte, kind model.Kind, own bool)
}

// Faulty is what becomes of a file that cannot be read.
type Faulty int

// The ways.
const (
	// Fail gives the first such file's error.
	Fail Faulty = iota
	// LeaveOut leaves it out whole.
	LeaveOut
	// AsLLVM leaves it out as llvm-profdata does with -failure-mode=all: records before
	// a fault that shows only while records are read are in the sum.
	AsLLVM
)

// NewFleet is a fleet without files.
func NewFleet(o FleetOptions) *Fleet {
	f := &Fleet{o: o, sum: counters{merger: sums.NewMerger()}, allowance: wire.NewAllowance(0)}
	f.o.Procs = Procs(o.Procs)
	if o.TakePartial {
		f.sum.merger.TakePartial()
	}
	if o.Traces != nil {
		f.sum.merger.KeepTraces(*o.Traces)
	}
	f.sum.merger.Tell(o.Tell)
	return f
}

// Procs is how many goroutines the fleet uses.
func (f *Fleet) Procs() int { return f.o.Procs }

// ErrNotCounters is the error for a file that is no profile of counters alone. It may
// well be a profile.
var ErrNotCounters = errors.New("not counters alone")

// Member is an open file of a fleet.
type Member struct{ counted }

// Source is the records of the file; nil for one without bytes.
func (m *Member) Source() instrprof.Source { return m.src }

// Open opens a file, which must have been recognised. It may be called from several
// goroutines, also during Add. The error is [ErrNotCounters], or names the file.
func (f *Fleet) Open(file format.File) (*Member, error) {
	switch {
	case file.Is.Empty:
		return &Member{counted{file: file}}, nil
	case file.Optional && file.Is.Foreign() && file.Is.Companion == nil:
		return &Member{counted{file: file}}, nil
	case file.Is.Companion != nil, file.Is.Err == nil && !isCounters(file.Is):
		return nil, ErrNotCounters
	case file.Is.Err != nil:
		return nil, file.Is.Err
	}
	f.allowance.Grow(uint64(len(file.Data)))
	src, err := f.open(file)
	if err == nil && len(src.Info().MemProf) > 0 {
		return nil, ErrNotCounters
	}
	if text, ok := src.(*instrprof.Text); ok && f.o.StandIn {
		text.KeepBitmaps()
	}
	if err == nil && f.o.Faulty == LeaveOut && !instrprof.Checked(src) {
		err = readAll(src)
	}
	if err != nil {
		return nil, file.Is.Format.InFile(file.Name, cutShort(file.Data, err))
	}
	return &Member{counted{file, src}}, nil
}

// OpenProfile makes a member of a profile that was opened. The error is
// [ErrNotCounters], or names the profile.
func (f *Fleet) OpenProfile(name string, p *format.Profile, weight uint64) (*Member, error) {
	src, ok := format.PartOf[instrprof.Source](p)
	if _, heap := format.PartOf[*memprof.Profile](p); !ok || heap || p.Faults[memprof.Family] != nil {
		return nil, ErrNotCounters
	}
	file := format.File{Name: name, Weight: weight, Is: &format.Recognised{Format: sourceFormat(src)}}
	if len(p.Info.Partial) > 0 && !f.o.TakePartial {
		return nil, onlyBeginning(name)
	}
	if f.o.Faulty == LeaveOut {
		if err := readAll(src); err != nil {
			return nil, file.Is.Format.InFile(name, err)
		}
	}
	return &Member{counted{file, src}}, nil
}

func (f *Fleet) open(file format.File) (instrprof.Source, error) {
	rec := wire.Allow(f.allowance)
	if file.Is.Is(instrprof.FormatRaw) {
		return f.sum.merger.OpenRun(file.Data, nil, rec, f.o.Faulty == AsLLVM)
	}
	return openCounters(file, nil, rec, false)
}

// maxFound is how many files that add nothing are named.
const maxFound = 100

// Add adds files in their order; nil stands for one that could not be opened. The
// errors are by file. Nothing of the files is kept.
func (f *Fleet) Add(ctx context.Context, members []*Member) ([]error, error) {
	var some []counted
	var at []int
	for i, m := range members {
		switch {
		case m == nil:
		case m.src != nil:
			some, at = append(some, m.counted), append(at, i)
		case len(f.found) < maxFound:
			f.found = append(f.found, nothingOf(m.file))
		}
	}
	errs := make([]error, len(members))
	switch {
	case f.o.Apart:
		some, at = f.sum.apart(some, at, errs, sums.CannotMerge)
	case !f.o.StandIn:
		some, at = f.sum.apart(some, at, errs, sums.BytesAndCounts)
	}
	added, err := f.sum.add(ctx, some, f.o.Procs)
	if err != nil {
		return nil, err
	}
	for i, err := range added {
		errs[at[i]] = err
	}
	return errs, nil
}

// LeaveOut notes that a file is not in the sum, or not wholly, for a fault.
func (f *Fleet) LeaveOut(name string, err error) { f.left.add(name, err) }

// Sum is what was added so far. Nothing may be added while it is in use.
func (f *Fleet) Sum() *sums.Merged { return f.sum.merger.Source() }

// Profile is the sum, with what there is to know about the files. Nothing may be added
// any more. sparse leaves functions out that never ran, as llvm-profdata -sparse does.
func (f *Fleet) Profile(sparse bool) *format.Profile {
	if sparse {
		f.sum.merger.DropUnexecuted()
	}
	p := &format.Profile{Suite: Suite}
	p.Find(f.found...)
	p.Find(f.left.findings()...)
	src := f.sum.merger.Source()
	if f.sum.files == 0 {
		src.Info().Info = model.Info{Families: families, Describe: "empty LLVM raw"}
	}
	forgetSection(src.Info())
	complete(p, src.Info(), src)
	return p
}

// nothingOf is the finding about a file that adds nothing.
func nothingOf(file format.File) model.Finding {
	if file.Is.Empty {
		return format.NothingIn(file.Name)
	}
	return format.LeftOut(file)
}

// leftOut is the files that are not in a sum.
type leftOut struct {
	list []model.Finding
	more int
}

// maxLeftOut is how many of them are named in findings.
const maxLeftOut = 100

func (l *leftOut) add(name string, err error) {
	if len(l.list) >= maxLeftOut {
		l.more++
		return
	}
	l.list = append(l.list, format.LeftOutFor(name, err))
}

func (l *leftOut) findings() []model.Finding {
	if l.more == 0 {
		return l.list
	}
	return append(l.list, model.Finding{Severity: model.Warning, Code: "merge.left_out", Count: uint64(l.more),
		Message: "left out: " + model.Amount(l.more, "more file", "more files") + " that cannot be read"})
}
