package analyze

import "proflens/decode/instrprof"

// Class is how the compiler would treat a record, by its maximum counter
// against the thresholds of its own summary, plain or context-sensitive
// (instrprof.md §6.3).
type Class string

// The classes. NoClass is for records of a summary whose hot threshold is 0,
// and for pseudo-count records, which stand apart.
const (
	Hot     Class = "hot"   // maximum ≥ hot threshold
	Warm    Class = "warm"  // between the two
	Cold    Class = "cold"  // executed, maximum ≤ cold threshold
	Never   Class = "never" // every counter is 0
	NoClass Class = ""
)

// Thresholds are the counts at which the compiler calls code hot or cold, with
// its default cutoffs of 99 % and 99.9999 %.
type Thresholds struct {
	Hot    uint64 `api:"hot,exact"`
	Cold   uint64 `api:"cold,exact"`
	NumHot uint64 `api:"num_hot" doc:"Counters that reach the hot threshold."` // the working set
}

// ThresholdsOf reads the thresholds off a summary: the MinCount at the first
// cutoff of at least 990000, and of at least 999999, parts per million.
func ThresholdsOf(s *instrprof.Summary) Thresholds {
	var t Thresholds
	for _, e := range s.Detailed {
		if e.Cutoff >= 990000 {
			t.Hot, t.NumHot = e.MinCount, e.NumCounts
			break
		}
	}
	for _, e := range s.Detailed {
		if e.Cutoff >= 999999 {
			t.Cold = e.MinCount
			break
		}
	}
	return t
}

// Classify gives the class of a record by its statistics.
func (t Thresholds) Classify(s *Stats) Class {
	switch {
	case s.Pseudo:
		return NoClass
	case s.Max == 0:
		return Never
	case t.Hot == 0:
		return NoClass
	case s.Max >= t.Hot:
		return Hot
	case s.Max <= t.Cold:
		return Cold
	}
	return Warm
}
