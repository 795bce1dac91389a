// Package analyze turns the model's records into numbers: statistics of a
// record, summaries, thresholds and classes, distributions, path trees. It is
// accumulators over records and does no I/O.
package analyze

import (
	"slices"

	"proflens/decode/instrprof"
)

// Stats is what the function table shows of one record.
type Stats struct {
	Total       Sum    // of all counters, exact
	Max         uint64 // largest counter
	MaxIndex    uint32 // where it stands first
	Entry       uint64 // counter 0; an entry count only where HasEntry says so
	NumCounters uint32
	NumZero     uint32 // counters that are 0
	NumSites    [instrprof.NumValueKinds]uint32
	Pseudo      bool // the record holds a pseudo count: all figures but NumCounters are 0
	CS          bool // the record is context-sensitive
}

// Executed reports whether some counter is above 0.
func (s *Stats) Executed() bool { return s.Max > 0 }

// StatsOf computes the statistics of f in a profile of variant v.
func StatsOf(f *instrprof.Function, v instrprof.Variant) Stats {
	s := Stats{NumCounters: uint32(len(f.Counters)), CS: f.IsCS(v)}
	for k := range f.Sites {
		s.NumSites[k] = uint32(len(f.Sites[k]))
	}
	if f.IsPseudo() {
		s.Pseudo = true
		return s
	}
	if len(f.Counters) == 0 {
		return s
	}
	var total Sum
	most, zero := uint64(0), uint32(0)
	for _, c := range f.Counters { // which stand in no order, so that no branch on them is guessed
		if c == 0 {
			zero++
		}
		total.Add(c)
		most = max(most, c)
	}
	s.Total, s.NumZero, s.Max, s.Entry = total, zero, most, f.Counters[0]
	s.MaxIndex = uint32(slices.Index(f.Counters, most))
	return s
}

// HasEntry reports whether counter 0 is the function's entry count in a
// profile of variant v: always in front-end profiles, in IR profiles only
// where the entry block is instrumented first (instrprof.md §6.2).
func HasEntry(v instrprof.Variant) bool {
	return !v.Has(instrprof.IRProf) || v&(instrprof.InstrEntry|instrprof.FunctionEntryOnly) != 0
}
