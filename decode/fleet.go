package decode

import (
	"context"
	"errors"

	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/llvm"
	"proflens/decode/model"
	"proflens/internal/recovery"
)

// Lazy is a file that is opened when its turn comes.
type Lazy struct {
	Name   string
	Weight uint64 // counts are multiplied by it; 0 means 1
	// Optional says that the file came along with others, as out of an archive: one of no
	// kind that is read adds nothing.
	Optional bool
	// Open gives the bytes, which are not used any more once close was called; close may
	// be nil. It is called by several goroutines at once.
	Open func() (data []byte, close func(), err error)
	// Profile is set in the place of Open for what is more than one file. Its fault is a
	// file's if it holds a [*model.FormatError].
	Profile func() (p *format.Profile, close func(), err error)
}

// atOnce is how many files are open for each goroutine: enough that a large one does
// not have the others wait.
const atOnce = 8

// AddTo adds files of counters to a fleet in their order, a few at a time, and returns
// the error of each: nil for one that is in the sum. Unless the fleet leaves faulty
// files out, the first such error ends it.
//
// The second error is what ended it: [llvm.ErrNotCounters] for a file that only [Open]
// or [Merge] can add to others, an error of a Lazy, or the context's. Then the fleet is
// not to be used any more.
func AddTo(ctx context.Context, fleet *llvm.Fleet, o llvm.Faulty, files []Lazy) ([]error, error) {
	errs := make([]error, 0, len(files))
	for len(files) > 0 {
		some := files[:min(len(files), atOnce*fleet.Procs())]
		files = files[len(some):]
		faults, err := addSome(ctx, fleet, some)
		if err != nil {
			return nil, err
		}
		errs = append(errs, faults...)
		for i, fault := range faults {
			if fault == nil {
				continue
			}
			if o == llvm.Fail {
				return nil, fault
			}
			fleet.LeaveOut(some[i].Name, fault)
		}
	}
	return errs, nil
}

// Again opens files once more that were added to a fleet, and shows each to a function,
// several at a time; those that cannot be read, or that have no bytes, are passed over.
// The error is the function's, that of a Lazy, or the context's.
func Again(ctx context.Context, fleet *llvm.Fleet, files []Lazy, each func(i int, src instrprof.Source) error) error {
	g, within := recovery.WithContext(ctx)
	g.SetLimit(fleet.Procs())
	for i, f := range files {
		g.Go(func() error {
			if err := within.Err(); err != nil {
				return err
			}
			var l lent
			defer func() {
				if l.close != nil {
					l.close()
				}
			}()
			if err := l.open(fleet, f); err != nil || l.member == nil || l.member.Source() == nil {
				return err
			}
			return each(i, l.member.Source())
		})
	}
	return g.Wait()
}

// lent is an open file.
type lent struct {
	member *llvm.Member
	close  func()
	err    error
}

func addSome(ctx context.Context, fleet *llvm.Fleet, files []Lazy) ([]error, error) {
	open := make([]lent, len(files))
	defer func() {
		for _, l := range open {
			if l.close != nil {
				l.close()
			}
		}
	}()
	g, within := recovery.WithContext(ctx)
	g.SetLimit(fleet.Procs())
	for i, f := range files {
		g.Go(func() error {
			if err := within.Err(); err != nil {
				return err
			}
			return open[i].open(fleet, f)
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	members := make([]*llvm.Member, len(files))
	for i := range open {
		members[i] = open[i].member
	}
	errs, err := fleet.Add(ctx, members)
	if err != nil {
		return nil, err
	}
	for i := range open {
		if open[i].err != nil {
			errs[i] = open[i].err
		}
	}
	return errs, nil
}

// open opens a file as a member of a fleet. Its fault stays with it; the error is one
// that ends the merge.
func (l *lent) open(fleet *llvm.Fleet, f Lazy) error {
	if f.Profile != nil {
		return l.openProfile(fleet, f)
	}
	data, close, err := f.Open()
	l.close = close
	if err != nil {
		return err
	}
	is, ok := llvm.RecogniseRun(data)
	if !ok {
		is = Recognise(f.Name, data)
	}
	l.member, l.err = fleet.Open(format.File{Name: f.Name, Data: data, Weight: f.Weight, Optional: f.Optional, Is: &is})
	if errors.Is(l.err, llvm.ErrNotCounters) {
		return llvm.ErrNotCounters
	}
	return nil
}

// openProfile opens what is more than one file.
func (l *lent) openProfile(fleet *llvm.Fleet, f Lazy) error {
	p, close, err := f.Profile()
	l.close = close
	if _, fault := model.FaultIn(err); fault {
		l.err = err
		return nil
	}
	if err != nil {
		return err
	}
	l.member, l.err = fleet.OpenProfile(f.Name, p, f.Weight)
	if errors.Is(l.err, llvm.ErrNotCounters) {
		return llvm.ErrNotCounters
	}
	return nil
}
