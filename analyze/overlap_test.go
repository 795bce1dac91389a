package analyze

import (
	"math"
	"testing"

	"proflens/decode/instrprof"
)

// A record of another hash that ran once is a mismatch; one that did not run overlaps.
func TestMismatchedOnce(t *testing.T) {
	for count, mismatch := range map[uint64]float64{0: 0, 1: 0.25, 2: 0.5} {
		o := Overlap{Base: CountSums{Edge: 4}, Test: CountSums{Edge: 4}}
		o.Mismatched(&instrprof.Function{Counters: []uint64{count}})
		if o.Mismatch.Edge != mismatch || (o.Overlap.Entries == 1) != (count == 0) {
			t.Errorf("a counter of %d is a mismatch of %v, %d entries overlap", count, o.Mismatch.Edge, o.Overlap.Entries)
		}
	}
}

func site(pairs ...uint64) instrprof.ValueSite {
	var s instrprof.ValueSite
	for i := 0; i < len(pairs); i += 2 {
		s = append(s, instrprof.Value{Value: pairs[i], Count: pairs[i+1]})
	}
	return s
}

// The figures are worked out by hand from instrprof.md §6.4.
func TestOverlap(t *testing.T) {
	base := &instrprof.Function{Counters: []uint64{60, 20}, Sites: [3][]instrprof.ValueSite{{site(1, 6, 2, 4)}}}
	test := &instrprof.Function{Counters: []uint64{10, 10}, Sites: [3][]instrprof.ValueSite{{site(2, 1, 3, 1)}}}
	gone := &instrprof.Function{Counters: []uint64{20}}
	var o Overlap
	for _, f := range []*instrprof.Function{base, {Counters: []uint64{20}}} {
		o.Base.AddRecord(SumsOf(f))
	}
	for _, s := range []CountSums{SumsOf(test), SumsOf(gone), SumsOf(&instrprof.Function{Counters: []uint64{0}})} {
		o.Test.AddRecord(s)
	}
	r := o.Compare(base, test)
	o.Unmatched(gone)
	o.Mismatched(&instrprof.Function{Counters: []uint64{0}}) // without counts it overlaps
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	near("edge overlap", o.Overlap.Edge, min(0.6, 0.25)+min(0.2, 0.25))
	near("value overlap", o.Overlap.Values[0], min(0.4, 0.5))
	near("unique", o.Unique.Edge, 0.5)
	near("record's overlap", r.Overlap.Edge, min(0.75, 0.5)+min(0.25, 0.5))
	near("score", r.Score, o.Overlap.Edge)
	if o.Base.Entries != 2 || o.Test.Entries != 3 || o.Overlap.Entries != 2 || o.Unique.Entries != 1 ||
		o.Mismatch.Entries != 0 || !r.Scored {
		t.Errorf("counted %+v", o)
	}

	// Another shape is a mismatch, though the hash is the same.
	wide := &instrprof.Function{Counters: []uint64{1, 2, 3}}
	if r := o.Compare(wide, test); !r.Mismatch || r.Scored || o.Mismatch.Entries != 1 {
		t.Errorf("another shape gave %+v", r)
	}
	near("mismatch", o.Mismatch.Edge, 0.5)
	if (&Overlap{Test: CountSums{Edge: 1}}).Comparable() || !o.Comparable() {
		t.Error("profiles without counts cannot be compared, others can")
	}
}

// Many values, in any order, and values that a site has twice.
func TestEachCommon(t *testing.T) {
	var many, other instrprof.ValueSite
	for i := range uint64(100) {
		many = append(many, instrprof.Value{Value: 99 - i, Count: 1})
		other = append(other, instrprof.Value{Value: 2 * i, Count: 2})
	}
	for name, c := range map[string]struct {
		a, b instrprof.ValueSite
		want int
	}{
		"many":  {many, other, 50},
		"few":   {site(1, 1, 2, 1), site(2, 1, 1, 1), 2},
		"twice": {site(5, 1, 5, 2), site(5, 3, 5, 4, 5, 5), 2},
		"none":  {nil, many, 0},
	} {
		n := 0
		eachCommon(c.a, c.b, func(uint64, uint64) { n++ })
		if n != c.want {
			t.Errorf("%s: %d in common, want %d", name, n, c.want)
		}
	}
}
