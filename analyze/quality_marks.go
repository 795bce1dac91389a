package analyze

import "proflens/decode/instrprof"

// Mark is a set of things that are odd about a record, each of which its
// [Stats] show.
type Mark uint8

// The marks of a record.
const (
	// Saturated: a counter is at the largest legal value or above.
	Saturated Mark = 1 << iota
	// AllOnes: there are two counters or more, and every one is 1. A loop or a
	// branch that ran leaves other numbers, unless counters say executed or not;
	// records of byte coverage are never marked.
	AllOnes
	// EntryZero: the entry count is 0, and another counter is not. Only where
	// [HasEntry].
	EntryZero
	// NoName: the file has no name for the record's NameRef.
	NoName
	// Pseudo: the record holds a pseudo count in place of counters.
	Pseudo
)

// MarksOf are the marks of a record, with or without a name, in a profile of
// variant v. One with a pseudo count can lack its name besides.
func MarksOf(s *Stats, v instrprof.Variant, named bool) Mark {
	var m Mark
	if !named {
		m |= NoName
	}
	if s.Pseudo {
		return m | Pseudo
	}
	if s.Max >= instrprof.MaxCount {
		m |= Saturated
	}
	if s.Max == 1 && s.NumZero == 0 && s.NumCounters > 1 && !v.Has(instrprof.ByteCoverage) {
		m |= AllOnes
	}
	if s.Entry == 0 && s.Max > 0 && HasEntry(v) {
		m |= EntryZero
	}
	return m
}

// SiteLimit is how many values a value site keeps in one run of a program,
// unless LLVM_VP_MAX_NUM_VALS_PER_SITE says otherwise: a further one takes
// counts away from the rarest. LLVM 12 raised it, so that every range of sizes
// of memory operations (instrprof.md §2.6) has its place.
func SiteLimit(info *instrprof.Info) int {
	if info.Format == instrprof.FormatRaw && info.Version <= 5 || info.Format == instrprof.FormatIndexed &&
		info.Version <= 6 {
		return 16
	}
	return 24
}

// SiteMark is a set of things that are odd about a value site.
type SiteMark uint8

// The marks of a value site.
const (
	// SiteFull: it has as many values as [SiteLimit] or more, so there may have
	// been others that are not in the file.
	SiteFull SiteMark = 1 << iota
	// SiteShort: its counts add up to less than the only counter of its
	// function. Code of one counter has no branch, so each run of it passes
	// every site of it, and the difference was not recorded.
	SiteShort
)

// SiteMarksOf are the marks of a site with this many values, in a profile of
// this [SiteLimit], with this sum of counts, in a record of this many counters
// with this total.
func SiteMarksOf(values, limit int, sum Sum, counters uint32, total Sum) SiteMark {
	var m SiteMark
	if values >= limit {
		m |= SiteFull
	}
	if counters == 1 && sum.Compare(total) < 0 {
		m |= SiteShort
	}
	return m
}
