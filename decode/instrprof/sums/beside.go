package sums

import (
	"context"
	"iter"

	"proflens/decode/instrprof"
)

// Beside yields each record of an input that was added, with the record of the sum that
// it is in: its counters, and those of the sum, are as many. Records of the input that
// are of one name and hash come as one; one that is not in the sum, because its shape is
// another, does not come. Only names, hashes and counters are set.
//
// It may be called from several goroutines. Both records are valid until the next step.
// The error is the source's, or the context's.
func (s *Merged) Beside(ctx context.Context, src instrprof.Source) iter.Seq2[Pair, error] {
	if raw := instrprof.RawOf(src); raw != nil {
		if runs, ok := raw.Runs(); ok && len(runs) == 1 {
			return s.besideRun(runs[0])
		}
	}
	return s.besideSource(ctx, src)
}

// Pair is a record of an input and that of the sum.
type Pair struct{ Sum, Input *instrprof.Function }

// besideRun is Beside for a run of a program whose places are known.
func (s *Merged) besideRun(r instrprof.Run) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		var sum, in, again instrprof.Function
		places := r.Places()
		for i := 0; i < len(places); {
			at := places[i].Number
			s.Record(uint32(at), &sum)
			in.Name, in.NameRef, in.FuncHash = sum.Name, sum.NameRef, sum.FuncHash
			in.Counters = r.AppendCounts(in.Counters[:0], &places[i])
			for i++; i < len(places) && places[i].Number == at; i++ {
				again.Counters = r.AppendCounts(again.Counters[:0], &places[i])
				addCounters(&in, &again)
			}
			if len(in.Counters) == len(sum.Counters) && !yield(Pair{&sum, &in}, nil) {
				return
			}
		}
	}
}

// addCounters adds the counters of another record of one name and hash, if they are as
// many.
func addCounters(f, o *instrprof.Function) {
	if len(f.Counters) != len(o.Counters) {
		return
	}
	var w warnings
	for i, c := range o.Counters {
		f.Counters[i] = addCount(f.Counters[i], c, 1, &w)
	}
}

// besideSource is Beside for any source: its records are merged first.
func (s *Merged) besideSource(ctx context.Context, src instrprof.Source) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		own := NewMerger()
		own.TakePartial()
		if err := own.Add(ctx, "", src, 1); err != nil {
			yield(Pair{}, err)
			return
		}
		var sum instrprof.Function
		for in := range own.Source().Functions() {
			at := s.m.look(in)
			if at < 0 {
				continue
			}
			if s.Record(uint32(at), &sum); len(in.Counters) == len(sum.Counters) && !yield(Pair{&sum, in}, nil) {
				return
			}
		}
	}
}

// look is the number of the record of a name and hash, or -1. Unlike find it changes
// nothing.
func (m *Merger) look(f *instrprof.Function) int32 {
	if len(m.names.slots) == 0 {
		return -1
	}
	s, _ := m.names.find(f.NameRef, f.Name)
	if s.number == 0 || int(s.number-1) >= len(m.heads) {
		return -1
	}
	if many := m.many[s.number-1]; many != nil {
		if number, ok := many[f.FuncHash]; ok {
			return number
		}
		return -1
	}
	at := m.heads[s.number-1]
	for at >= 0 && m.records[at].funcHash != f.FuncHash {
		at = m.records[at].next
	}
	return at
}
