package instrprof

import (
	"cmp"
	"math"
	"slices"
)

// readTrace orders the functions of a temporal profile by the timestamps of
// their first execution: one trace over all profiles of the file, or none
// (instrprof.md §2.8). Whether there is one, llvm-profdata decides by the last
// profile alone.
func (r *Raw) readTrace() []Trace {
	if len(r.parts) == 0 || !r.parts[len(r.parts)-1].variant.Has(TemporalProf) {
		return nil
	}
	type first struct{ stamp, ref uint64 }
	var called []first
	for _, p := range r.parts {
		if !p.variant.Has(TemporalProf) {
			continue
		}
		for i := range p.numRecords() {
			record := p.record(i)
			counters, _ := p.counterBytes(i, record)
			if stamp, _ := p.timestamp(counters); stamp != 0 && stamp != math.MaxUint64 {
				called = append(called, first{stamp, p.nameRef(i, record)})
			}
		}
	}
	if len(called) == 0 {
		return nil
	}
	slices.SortFunc(called, func(a, b first) int {
		return cmp.Or(cmp.Compare(a.stamp, b.stamp), cmp.Compare(a.ref, b.ref))
	})
	refs := make([]uint64, len(called))
	for i, f := range called {
		refs[i] = f.ref
	}
	r.info.TraceStreamSize = 1
	return []Trace{{Weight: 1, NameRefs: refs}}
}

// Traces implements [instrprof.Source].
func (r *Raw) Traces() Traces {
	return func(yield func(Trace, error) bool) {
		for _, t := range r.trace {
			if !yield(t, nil) {
				return
			}
		}
	}
}
