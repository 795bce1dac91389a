package llvm

import (
	"context"
	"fmt"

	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
	"proflens/decode/memprof"
	"proflens/decode/model"
)

// merge adds decoded profiles up in memory, as llvm-profdata merge does with an
// indexed file of each (instrprof.md §6.1).
//
// Heap profiles are merged by call stack (memprof.md §1.6), which llvm-profdata
// does not do: it loses all but one (memprof.md §2.6). One that could not be
// read is missing in the sum, with a finding.
//
// Front-end and IR profiles are incompatible too, which llvm-profdata only tells
// apart in text files: their counters do not mean the same; and so is a heap
// profile with functions to one with addresses.
func merge(ctx context.Context, profiles []format.Weighted, o format.MergeOptions) (*format.Profile, error) {
	merger := sums.NewMerger()
	if o.TakePartial {
		merger.TakePartial()
	}
	out := &format.Profile{}
	for i, w := range profiles {
		if len(w.Profile.Info.Partial) > 0 && !o.TakePartial {
			return nil, onlyBeginning(w.Name)
		}
		src, ok := format.PartOf[instrprof.Source](w.Profile)
		if !ok {
			continue
		}
		if err := mergeCounters(ctx, merger, w, src, profiles[:i]); err != nil {
			return nil, err
		}
	}
	if err := mergeMemProfs(out, profiles); err != nil {
		return nil, err
	}
	src := merger.Source()
	if len(profiles) > 1 {
		forgetSection(src.Info())
	}
	complete(out, src.Info(), src)
	return out, nil
}

func mergeCounters(ctx context.Context, merger *sums.Merger, w format.Weighted, src instrprof.Source,
	former []format.Weighted) error {
	for _, other := range former {
		with, ok := format.PartOf[instrprof.Source](other.Profile)
		if !ok {
			continue
		}
		if err := sums.CannotMerge(with.Info(), src.Info()); err != nil {
			return cannotMerge(w.Name, other.Name, err)
		}
	}
	return sourceFormat(src).InFile(w.Name, merger.Add(ctx, w.Name, src, w.Weight))
}

// sourceFormat is the format of the file that counters come from.
func sourceFormat(src instrprof.Source) *format.Format {
	for _, f := range []*format.Format{indexedFormat, textFormat} {
		if f.Name == src.Info().Format {
			return f
		}
	}
	return rawFormat
}

// mergeMemProfs merges the heap profiles of those that have one.
func mergeMemProfs(out *format.Profile, profiles []format.Weighted) error {
	var heaps []*memprof.Profile
	var of []format.Weighted
	for _, w := range profiles {
		heap, ok := format.PartOf[*memprof.Profile](w.Profile)
		if !ok {
			if w.Profile.Faults[memprof.Family] != nil {
				warn(out, w.Name, "heap_left_out", "its heap profile cannot be read; the sum leaves it out")
			}
			continue
		}
		if w.Weight > 1 {
			warn(out, w.Name, "heap_weight", "the weight applies only to its counters: heap profiles have no weights")
		}
		for i, other := range heaps {
			if heap.Symbolized != other.Symbolized {
				return cannotMerge(w.Name, of[i].Name, memprof.ErrAddresses)
			}
		}
		heaps, of = append(heaps, heap), append(of, w)
	}
	if len(heaps) == 0 {
		return nil
	}
	merged, err := memprof.Merge(heaps)
	if err == nil {
		out.Add(memprof.Family, merged)
	}
	return err
}

// warn adds a warning about one of the profiles that were merged.
func warn(p *format.Profile, file, code, message string) {
	p.Find(model.Finding{
		Severity: model.Warning, Code: "merge." + code, Kind: model.KindLossy, File: file, Message: message,
	})
}

// WithoutMemProf takes the heap profile out, for what cannot hold it.
func WithoutMemProf(p *format.Profile) {
	p.Without(memprof.Family)
	if src, ok := format.PartOf[instrprof.Source](p); ok {
		p.Without(instrprof.Family)
		forgetSection(src.Info())
		complete(p, src.Info(), src)
	}
}

// LeaveAddressesOut takes out a heap profile of addresses, which no indexed file can
// hold, where there are counters beside it, and reports whether there was one.
func LeaveAddressesOut(p *format.Profile) bool {
	heap, ok := format.PartOf[*memprof.Profile](p)
	if !ok || heap.Symbolized || !p.Info.Has(instrprof.Family) {
		return false
	}
	WithoutMemProf(p)
	return true
}

// onlyBeginning is the error for a partial profile, where those are not taken.
func onlyBeginning(name string) error {
	return &model.FormatError{Kind: model.KindIncompatible, File: name, Section: "header",
		Msg: fmt.Sprintf("only the beginning of %s was decoded: sums would be too small where records are missing", name)}
}

func cannotMerge(name, other string, err error) error {
	msg := err.Error()
	if cause, ok := model.FaultIn(err); ok {
		msg = cause.Msg
	}
	return &model.FormatError{Kind: model.KindIncompatible, File: name, Section: "header", Err: err,
		Msg: fmt.Sprintf("%s cannot be merged with %s: %s", name, other, msg)}
}
