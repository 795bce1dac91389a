package decode

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/model"
)

// Weighted is a decoded profile on its way into a merge.
type Weighted struct {
	Name    string // in findings and errors
	Profile *Profile
	Weight  uint64 // counts are multiplied by it, heap profiles are not; 0 means 1
}

// MergeOptions are for [Merge].
type MergeOptions struct {
	// TakePartial lets profiles of which only the beginning was decoded in.
	TakePartial bool
}

// Merge adds decoded profiles up in memory, as llvm-profdata merge does with an
// indexed file of each (instrprof.md §6.1). Their sources, and what they read
// from, are in use as long as the result is.
//
// Heap profiles are merged by call stack (memprof.md §1.6), which llvm-profdata
// does not do: it loses all but one (memprof.md §2.6). One that could not be
// read is missing in the sum, with a finding.
//
// Profiles that cannot form one are [model.KindIncompatible], and the error
// names both. That goes for front-end with IR profiles too, which llvm-profdata
// only tells apart in text files: their counters do not mean the same; and for
// a heap profile with functions and one with addresses.
func Merge(ctx context.Context, profiles []Weighted, o MergeOptions) (*Profile, error) {
	merger := instrprof.NewMerger()
	if o.TakePartial {
		merger.TakePartial()
	}
	out := &Profile{}
	for i, p := range profiles {
		info := p.Profile.Info()
		if len(info.Partial) > 0 && !o.TakePartial {
			return nil, &model.FormatError{Kind: model.KindIncompatible, File: p.Name, Section: "header",
				Msg: fmt.Sprintf("only the beginning of %s was decoded: the sum would be too small where it has no records", p.Name)}
		}
		for _, other := range profiles[:i] {
			with := other.Profile.Info()
			if with.Has(model.Instr) && info.Has(model.Instr) && with.Variant.Has(model.IRProf) != info.Variant.Has(model.IRProf) {
				return nil, cannotMerge(p, other, errMixture)
			}
		}
		err := merger.Add(ctx, p.Name, p.Profile, p.Weight)
		if model.KindOf(err) == model.KindUnsupportedVersion && err != nil {
			return nil, cannotMerge(p, culprit(ctx, p, profiles[:i]), err)
		}
		if err != nil {
			return nil, inFile(p.Name, info.Format, err)
		}
	}
	if err := out.mergeHeaps(profiles); err != nil {
		return nil, err
	}
	src := merger.Source()
	if len(profiles) > 1 {
		out.ownHeap(src.Info())
	}
	out.Source = src
	return out, nil
}

// mergeHeaps merges the heap profiles of those that have one.
func (p *Profile) mergeHeaps(profiles []Weighted) error {
	var heaps []*model.HeapProfile
	var of []Weighted
	for _, w := range profiles {
		heap := w.Profile.MemProf
		if heap == nil {
			if err := w.Profile.heapFault; err != nil {
				p.find(w.Name, "heap_left_out", "its heap profile cannot be read, and the sum is without it")
			}
			continue
		}
		if w.Weight > 1 {
			p.find(w.Name, "heap_weight", "the weight is of its counters alone: heap profiles have none")
		}
		for i, other := range heaps {
			if heap.Symbolized != other.Symbolized {
				return cannotMerge(w, of[i], errAddresses)
			}
		}
		heaps, of = append(heaps, heap), append(of, w)
	}
	if len(heaps) == 0 {
		return nil
	}
	merged, err := memprof.Merge(heaps)
	p.MemProf = merged
	return err
}

// WithoutHeap takes the heap profile out, for what cannot hold it.
func (p *Profile) WithoutHeap() {
	p.MemProf = nil
	p.ownHeap(p.Info())
}

// find adds a warning about one of the profiles that were merged.
func (p *Profile) find(file, code, message string) {
	p.findings = append(p.findings, model.Finding{Severity: model.Warning, Code: "merge." + code, Kind: model.KindLossy, File: file, Message: message})
}

// ownHeap makes the information on a source agree with the heap profile, which
// is no more the section of one file.
func (p *Profile) ownHeap(info *model.Info) {
	info.MemProfSection, info.MemProf = model.Section{}, nil
	info.Variant &^= model.MemProf
	info.Families = slices.DeleteFunc(info.Families, func(f model.Family) bool { return f == model.MemProfFam })
	if p.MemProf != nil {
		inHeap(info)
	}
}

var errAddresses = &model.FormatError{Kind: model.KindIncompatible, Section: "header",
	Msg: "one heap profile has functions and the other only addresses; add the executable to the latter first"}

var errMixture = &model.FormatError{Kind: model.KindUnsupportedVersion, Section: "header",
	Msg: "one is of front-end and the other of IR instrumentation: their counters do not mean the same"}

// culprit is the first of the former profiles that p cannot be merged with.
func culprit(ctx context.Context, p Weighted, former []Weighted) Weighted {
	for _, other := range former {
		pair := instrprof.NewMerger()
		pair.TakePartial()
		first := pair.Add(ctx, "", headerOnly{info: other.Profile.Info()}, 1)
		if first == nil && pair.Add(ctx, "", headerOnly{info: p.Profile.Info()}, 1) != nil {
			return other
		}
	}
	return former[0]
}

func cannotMerge(p, other Weighted, err error) error {
	msg := err.Error()
	if cause, ok := errors.AsType[*model.FormatError](err); ok {
		msg = cause.Msg
	}
	return &model.FormatError{Kind: model.KindIncompatible, File: p.Name, Section: "header", Err: err,
		Msg: fmt.Sprintf("%s cannot be merged with %s: %s", p.Name, other.Name, msg)}
}
