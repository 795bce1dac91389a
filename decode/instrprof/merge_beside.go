package instrprof

import (
	"context"
	"iter"
)

// Beside yields each record of an input that was added, with the record of the sum that
// it is in: its counters, and those of the sum, are as many. Records of the input that
// are of one name and hash come as one; one that is not in the sum, because its shape is
// another, does not come. Only names, hashes and counters are set.
//
// It may be called from several goroutines. Both records are valid until the next step.
// The error is the source's, or the context's.
func (s *Merged) Beside(ctx context.Context, src Source) iter.Seq2[Pair, error] {
	if r := rawOf(src); r != nil && len(r.parts) == 1 && r.parts[0].isRun() && r.parts[0].runOf.places != nil {
		return s.besideRun(r.parts[0])
	}
	return s.besideSource(ctx, src)
}

// Pair is a record of an input and that of the sum.
type Pair struct{ Sum, Input *Function }

// besideRun is Beside for a run of a program whose places are known.
func (s *Merged) besideRun(p *rawPart) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		var sum, in, again Function
		places := p.runOf.places
		for i := 0; i < len(places); {
			at := places[i].number
			s.Record(at, &sum)
			in.Name, in.NameRef, in.FuncHash = sum.Name, sum.NameRef, sum.FuncHash
			in.Counters = p.countsAt(&places[i], in.Counters[:0])
			for i++; i < len(places) && places[i].number == at; i++ {
				again.Counters = p.countsAt(&places[i], again.Counters[:0])
				in.addCounters(&again)
			}
			if len(in.Counters) == len(sum.Counters) && !yield(Pair{&sum, &in}, nil) {
				return
			}
		}
	}
}

// countsAt appends the counts of a record of a run.
func (p *rawPart) countsAt(pl *place, counts []uint64) []uint64 {
	b := p.counters.bytes[pl.at : pl.at+uint64(pl.counts)*p.counterSize()]
	if p.counterSize() == 1 {
		return appendCoverage(counts, b)
	}
	return appendWords(counts, b, p.bigEndian)
}

// addCounters adds the counters of another record of one name and hash, if they are as
// many.
func (f *Function) addCounters(o *Function) {
	if len(f.Counters) != len(o.Counters) {
		return
	}
	var w warnings
	for i, c := range o.Counters {
		f.Counters[i] = addCount(f.Counters[i], c, 1, &w)
	}
}

// besideSource is Beside for any source: its records are merged first.
func (s *Merged) besideSource(ctx context.Context, src Source) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		own := NewMerger()
		own.TakePartial()
		if err := own.Add(ctx, "", src, 1); err != nil {
			yield(Pair{}, err)
			return
		}
		var sum Function
		for in := range own.Source().Functions() {
			at := s.m.look(in)
			if at < 0 {
				continue
			}
			if s.Record(at, &sum); len(in.Counters) == len(sum.Counters) && !yield(Pair{&sum, in}, nil) {
				return
			}
		}
	}
}

// look is the number of the record of a name and hash, or -1. Unlike find it changes
// nothing.
func (m *Merger) look(f *Function) int32 {
	if len(m.names.slots) == 0 {
		return -1
	}
	slot := m.names.slots[m.names.find(f.NameRef, f.Name)]
	if slot == 0 || int(slot-1) >= len(m.heads) {
		return -1
	}
	if many := m.many[slot-1]; many != nil {
		if number, ok := many[f.FuncHash]; ok {
			return number
		}
		return -1
	}
	at := m.heads[slot-1]
	for at >= 0 && m.records[at].funcHash != f.FuncHash {
		at = m.records[at].next
	}
	return at
}
