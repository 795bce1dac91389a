package decode

import (
	"context"
	"errors"
	"fmt"

	"proflens/decode/instrprof"
	"proflens/decode/model"
)

// Weighted is a decoded profile on its way into a merge.
type Weighted struct {
	Name   string // in findings and errors
	Source model.Source
	Weight uint64 // counts are multiplied by it; 0 means 1
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
// Profiles that cannot form one are [model.KindIncompatible], and the error
// names both. That goes for front-end with IR profiles too, which llvm-profdata
// only tells apart in text files: their counters do not mean the same.
func Merge(ctx context.Context, profiles []Weighted, o MergeOptions) (model.Source, error) {
	merger := instrprof.NewMerger()
	if o.TakePartial {
		merger.TakePartial()
	}
	for i, p := range profiles {
		info := p.Source.Info()
		if len(info.Partial) > 0 && !o.TakePartial {
			return nil, &model.FormatError{Kind: model.KindIncompatible, File: p.Name, Section: "header",
				Msg: fmt.Sprintf("only the beginning of %s was decoded: the sum would be too small where it has no records", p.Name)}
		}
		for _, other := range profiles[:i] {
			if other.Source.Info().Variant.Has(model.IRProf) != info.Variant.Has(model.IRProf) {
				return nil, cannotMerge(p, other, errMixture)
			}
		}
		err := merger.Add(ctx, p.Name, p.Source, p.Weight)
		if model.KindOf(err) == model.KindUnsupportedVersion && err != nil {
			return nil, cannotMerge(p, culprit(ctx, p, profiles[:i]), err)
		}
		if err != nil {
			return nil, inFile(p.Name, info.Format, err)
		}
	}
	return merger.Source(), nil
}

var errMixture = &model.FormatError{Kind: model.KindUnsupportedVersion, Section: "header",
	Msg: "one is of front-end and the other of IR instrumentation: their counters do not mean the same"}

// culprit is the first of the former profiles that p cannot be merged with.
func culprit(ctx context.Context, p Weighted, former []Weighted) Weighted {
	for _, other := range former {
		pair := instrprof.NewMerger()
		pair.TakePartial()
		first := pair.Add(ctx, "", headerOnly{info: other.Source.Info()}, 1)
		if first == nil && pair.Add(ctx, "", headerOnly{info: p.Source.Info()}, 1) != nil {
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
