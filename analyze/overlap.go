package analyze

import "proflens/decode/instrprof"

// CountSums are sums of counts as llvm-profdata overlap works with them: as
// doubles, the counters of one record added modulo 2^64 before (instrprof.md
// §6.4).
type CountSums struct {
	Entries uint64                           // functions of a profile, counters of a record
	Edge    float64                          // of all counters
	Values  [instrprof.NumValueKinds]float64 // of the counts of all value sites, by kind
}

// SumsOf are the sums of one record.
func SumsOf(f *instrprof.Function) CountSums {
	s := CountSums{Entries: uint64(len(f.Counters))}
	var edge uint64
	for _, c := range f.Counters {
		edge += c
	}
	s.Edge = float64(edge)
	for kind, sites := range f.Sites {
		var sum uint64
		for _, site := range sites {
			for _, v := range site {
				sum += v.Count
			}
		}
		s.Values[kind] = float64(sum)
	}
	return s
}

// AddRecord adds the sums of one record to those of a profile.
func (s *CountSums) AddRecord(record CountSums) {
	record.Entries = 1
	s.Add(record)
}

// Add adds the sums of another part of the same profile.
func (s *CountSums) Add(o CountSums) {
	s.Entries += o.Entries
	s.Edge += o.Edge
	for kind := range o.Values {
		s.Values[kind] += o.Values[kind]
	}
}

// Overlap is how alike two profiles are, as llvm-profdata overlap has it
// (instrprof.md §6.4). Base and Test are set first; every record of the test
// profile is then given to one of Unmatched, Mismatched and Compare.
//
// The three outcomes hold fractions of 1 in place of sums. They need not add
// up to 1, since only the score of the overlap looks at both profiles.
type Overlap struct {
	Base, Test CountSums // of the profiles; Entries is functions

	Overlap  CountSums // functions of the same hash in both: the scores
	Mismatch CountSums // functions of another hash or shape: shares of the test profile
	Unique   CountSums // functions that only the test profile has: shares of it

	ProfilesOnly bool // Compare leaves out how alike the two records are, and what is in that of the base
}

// Comparable reports whether both profiles have counts. llvm-profdata prints
// nothing where one has none.
func (o *Overlap) Comparable() bool { return o.Base.Edge >= 1 && o.Test.Edge >= 1 }

// A record that the test profile's only file has several times is so many
// functions here: llvm-profdata reads that file record by record.

// Unmatched takes a record of the test profile whose name the base profile
// does not have.
func (o *Overlap) Unmatched(test *instrprof.Function) {
	o.Unique.Add(o.sharesOf(test, SumsOf(test)))
}

// Mismatched takes a record of the test profile whose name the base profile
// has, but not with this hash. A record without counts overlaps all the same.
func (o *Overlap) Mismatched(test *instrprof.Function) {
	sums := SumsOf(test)
	if sums.Edge < 1 {
		o.Overlap.Entries += timesOf(test)
		return
	}
	o.Mismatch.Add(o.sharesOf(test, sums))
}

// timesOf is how often the file has a record.
func timesOf(f *instrprof.Function) uint64 { return 1 + f.Repeats }

func (o *Overlap) sharesOf(f *instrprof.Function, test CountSums) CountSums {
	s := CountSums{Entries: timesOf(f)}
	if o.Test.Edge >= 1 {
		s.Edge = test.Edge / o.Test.Edge
	}
	for kind, sum := range test.Values {
		if o.Test.Values[kind] >= 1 {
			s.Values[kind] = sum / o.Test.Values[kind]
		}
	}
	return s
}

// RecordOverlap is how alike two records of one name and hash are.
type RecordOverlap struct {
	Base, Test CountSums // of the records; Entries is counters
	// Overlap holds the scores, each normalised by the records' own sums;
	// Entries is the counters compared. It is zero where Scored is not set.
	Overlap CountSums
	// Mismatch is set where the records have another number of counters, or of
	// value sites of some kind.
	Mismatch bool
	Scored   bool // false for a mismatch, and for a test record without counts
	// Score is what the record's counters added to the overlap of the profiles.
	Score float64
}

// Compare takes a record of the test profile and that of the same name and
// hash of the base profile.
func (o *Overlap) Compare(base, test *instrprof.Function) RecordOverlap {
	r := RecordOverlap{Test: SumsOf(test), Mismatch: shapesDiffer(base, test)}
	if !o.ProfilesOnly {
		r.Base = SumsOf(base)
	}
	switch {
	case r.Test.Edge < 1:
		o.Overlap.Entries += timesOf(test)
		return r
	case r.Mismatch:
		o.Mismatch.Add(o.sharesOf(test, r.Test))
		return r
	}
	r.Scored = true
	r.Overlap.Entries = uint64(len(test.Counters))
	o.Overlap.Entries += timesOf(test)
	r.Score = scores(base.Counters, test.Counters, o.Base.Edge, o.Test.Edge)
	o.Overlap.Edge += r.Score
	if !o.ProfilesOnly {
		r.Overlap.Edge = scores(base.Counters, test.Counters, r.Base.Edge, r.Test.Edge)
	}
	for kind := range test.Sites {
		for i := range test.Sites[kind] {
			o.compareSite(kind, base.Sites[kind][i], test.Sites[kind][i], &r)
		}
	}
	return r
}

func (o *Overlap) compareSite(kind int, base, test instrprof.ValueSite, r *RecordOverlap) {
	eachCommon(base, test, func(b, t uint64) {
		o.Overlap.Values[kind] += score(b, t, o.Base.Values[kind], o.Test.Values[kind])
		r.Overlap.Values[kind] += score(b, t, r.Base.Values[kind], r.Test.Values[kind])
	})
}

// Add adds the outcomes of another part of the same comparison.
func (o *Overlap) Add(part *Overlap) {
	o.Overlap.Add(part.Overlap)
	o.Mismatch.Add(part.Mismatch)
	o.Unique.Add(part.Unique)
}

func shapesDiffer(a, b *instrprof.Function) bool {
	for kind := range a.Sites {
		if len(a.Sites[kind]) != len(b.Sites[kind]) {
			return true
		}
	}
	return len(a.Counters) != len(b.Counters)
}

// scores adds up the scores of counters. Where one is 0 there is nothing to divide.
func scores(base, test []uint64, baseSum, testSum float64) (sum float64) {
	if baseSum < 1 || testSum < 1 {
		return 0
	}
	base = base[:len(test)]
	for i, t := range test {
		if b := base[i]; b > 0 && t > 0 {
			sum += min(float64(b)/baseSum, float64(t)/testSum)
		}
	}
	return sum
}

// score is the smaller of two shares: what both have in common.
func score(base, test uint64, baseSum, testSum float64) float64 {
	if baseSum < 1 || testSum < 1 {
		return 0
	}
	return min(float64(base)/baseSum, float64(test)/testSum)
}
