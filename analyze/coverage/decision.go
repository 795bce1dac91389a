package coverage

import (
	"cmp"
	"errors"
	"slices"

	"proflens/decode/covmap"
)

// Decision is a condition made of several, and what was seen of it (section 7).
type Decision struct {
	Start, End covmap.Position
	File       uint32      // file id
	Conditions []Condition // in the order of the source: C1, C2, …
	Vectors    []Vector    // that were seen: those that came to false first
	False      int         // how many of Vectors came to false
}

// Condition is one of a decision's.
type Condition struct {
	Start  covmap.Position
	Folded bool // the compiler knows it
	// Pair is two vectors that differ in this condition and in the result, the false
	// one first: it was shown to matter. They are numbered from 1; 0, 0: none.
	Pair [2]int
	// ID is its number in the graph of the decision's conditions, and Next what follows
	// when it is false, and true; -1: the decision has that value.
	ID   int16
	Next [2]int16
}

// Covered reports whether the condition was shown to matter.
func (c *Condition) Covered() bool { return c.Pair[0] > 0 }

// Vector is the values that conditions had when a decision was made.
type Vector struct {
	Values []Value // by condition
	Result bool
}

// Value is that of a condition in a vector.
type Value uint8

// The values.
const (
	NotEvaluated Value = iota
	IsFalse
	IsTrue
)

// Metric counts the conditions that the compiler does not know.
func (d *Decision) Metric() (m Metric) {
	for i := range d.Conditions {
		if c := &d.Conditions[i]; !c.Folded {
			m.count(c.Covered())
		}
	}
	return m
}

// errVectors is the end of a mapping that claims more vectors than could be meant.
var errVectors = errors.New("the decisions have more test vectors than can be held")

const (
	maxCells   = 1 << 27 // conditions of vectors, of all decisions: a byte each
	maxCompare = 1 << 24 // pairs of vectors of one decision that are compared
	maxVectors = 1<<31 - 1
)

// decider finds the decisions of one function after the other.
type decider struct {
	masks bool // the bitmaps' layout is LLVM 18's
	cells int  // of vectors so far
	under []underway
}

// underway is a decision some of whose conditions are still to come.
type underway struct {
	region   *covmap.Region
	expanded []uint32 // file ids expanded within it
	branches []*covmap.Region
}

func (u *underway) holds(r *covmap.Region) bool {
	inside := r.File == u.region.File && place(r.Start) >= place(u.region.Start) && place(r.End) <= place(u.region.End)
	return inside || slices.Contains(u.expanded, r.File)
}

func (d *decider) begin(r *covmap.Region) { d.under = append(d.under, underway{region: r}) }

func (d *decider) expand(r *covmap.Region) {
	for i := range d.under {
		if u := &d.under[i]; u.holds(r) {
			u.expanded = append(u.expanded, r.Expanded)
			return
		}
	}
}

// branch takes a condition, and returns the decision that it was the last of.
func (d *decider) branch(r *covmap.Region, bitmap []byte) (*Decision, error) {
	for i := range d.under {
		u := &d.under[i]
		same := func(b *covmap.Region) bool { return b.ID == r.ID }
		if int(r.ID) >= int(u.region.Conditions) || slices.ContainsFunc(u.branches, same) || !u.holds(r) {
			continue
		}
		if r.ID == 0 {
			u.branches = slices.Insert(u.branches, 0, r)
		} else {
			u.branches = append(u.branches, r)
		}
		if len(u.branches) < int(u.region.Conditions) {
			return nil, nil
		}
		whole := *u
		d.under = slices.Delete(d.under, i, i+1)
		return d.decide(&whole, bitmap)
	}
	return nil, nil
}

func (d *decider) decide(u *underway, bitmap []byte) (*Decision, error) {
	found := &Decision{Start: u.region.Start, End: u.region.End, File: u.region.File}
	at := make([]int, len(u.branches)) // where each condition stands, by id
	for i, b := range u.branches {
		folded := b.Counter.Tag() == covmap.Zero || b.False.Tag() == covmap.Zero
		found.Conditions = append(found.Conditions, Condition{
			Start: b.Start, Folded: folded, ID: b.ID, Next: [2]int16{b.NextFalse, b.NextTrue},
		})
		at[b.ID] = i
	}
	g := graphOf(u.branches)
	if g == nil {
		return found, nil // no graph of decisions: damaged
	}
	take := func(v Vector) error {
		if d.cells += len(v.Values); d.cells > maxCells {
			return errVectors
		}
		found.Vectors = append(found.Vectors, v)
		return nil
	}
	var err error
	if d.masks {
		err = g.masked(at, bitmap, int(u.region.Bitmap), take)
	} else {
		err = g.numbered(at, bitmap, int(u.region.Bitmap), take)
	}
	slices.SortStableFunc(found.Vectors, func(a, b Vector) int { return cmp.Compare(result(a), result(b)) })
	for found.False < len(found.Vectors) && !found.Vectors[found.False].Result {
		found.False++
	}
	found.pair()
	return found, err
}

func result(v Vector) int {
	if v.Result {
		return 1
	}
	return 0
}

// pair finds for each condition the first vectors that show that it matters.
func (d *Decision) pair() {
	left := len(d.Conditions)
	compared := 0
	for i := d.False; i < len(d.Vectors) && left > 0; i++ {
		for j := range d.False {
			if compared++; compared > maxCompare {
				return
			}
			if c := difference(d.Vectors[i].Values, d.Vectors[j].Values); c >= 0 && !d.Conditions[c].Covered() {
				d.Conditions[c].Pair = [2]int{j + 1, i + 1}
				left--
			}
		}
	}
}

// difference is the one condition that both evaluated and that differs; -1: not one.
func difference(a, b []Value) int {
	found := -1
	for i, v := range a {
		if v == b[i] || v == NotEvaluated || b[i] == NotEvaluated {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}
