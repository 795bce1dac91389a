package coverage_test

import (
	"slices"
	"testing"

	"proflens/analyze/coverage"
	"proflens/decode/covmap"
)

func at(line, column uint32) covmap.Position { return covmap.Position{Line: line, Column: column} }

// TestRows: a file of "if (a) {" on line 2, whose block on 3 never ran and whose end is
// on line 4.
func TestRows(t *testing.T) {
	v := &coverage.View{
		Segments: []coverage.Segment{
			{Position: at(1, 1), Count: 9, HasCount: true, Entry: true},
			{Position: at(2, 10), Count: 0, HasCount: true, Entry: true},
			{Position: at(4, 4), Count: 9, HasCount: true},
			{Position: at(9, 2)},
		},
		Branches: []*coverage.Region{
			{Start: at(2, 5), End: at(2, 6), False: 4, Kind: covmap.Branch},
			{Start: at(2, 5), End: at(2, 6), False: 5, Kind: covmap.Branch},
			{Start: at(7, 5), End: at(7, 6), Count: 9, FalseFolded: true, Kind: covmap.Branch},
		},
	}
	want := []struct {
		first, last uint32
		state       coverage.State
		count       uint64
		sides       int
	}{
		{1, 1, coverage.Ran, 9, 0}, {2, 2, coverage.Partly, 9, 1}, {3, 3, coverage.Missed, 0, 0},
		{4, 4, coverage.Missed, 0, 0}, {5, 6, coverage.Ran, 9, 0}, {7, 7, coverage.Ran, 9, 1}, {8, 8, coverage.Ran, 9, 0},
		{9, 9, coverage.Ran, 9, 0},
	}
	rows := v.Rows()
	if len(rows) != len(want) {
		t.Fatalf("%d rows, want %d: %+v", len(rows), len(want), rows)
	}
	for i, w := range want {
		if r := rows[i]; r.First != w.first || r.Last != w.last || r.State != w.state || r.Count != w.count ||
			len(r.Sides) != w.sides {
			t.Errorf("row %d is %d–%d, state %d, %d times, %d sides; want %+v", i, r.First, r.Last, r.State, r.Count,
				len(r.Sides), w)
		}
	}
	if s := rows[1].Sides[0]; s.True != 0 || s.False != 9 {
		t.Errorf("sides of two functions are %+v", s)
	}
	if s := rows[5].Sides[0]; !s.Constant {
		t.Errorf("a condition that the compiler knows is %+v", s)
	}
	if gaps := coverage.Gaps(rows); !slices.Equal(gaps, []coverage.Gap{{First: 2, Last: 4, Lines: 3, Missed: true}}) {
		t.Errorf("gaps are %+v", gaps)
	}
}

// and is "C1 && C2": C2 is looked at when C1 is true.
func and() *coverage.Decision {
	return &coverage.Decision{
		Conditions: []coverage.Condition{{ID: 0, Next: [2]int16{-1, 1}}, {ID: 1, Next: [2]int16{-1, -1}}},
	}
}

func TestWanted(t *testing.T) {
	const no, f, tr = coverage.NotEvaluated, coverage.IsFalse, coverage.IsTrue
	d := and()
	d.Vectors, d.False = []coverage.Vector{{Values: []coverage.Value{f, no}}}, 1
	got := d.Wanted()
	if len(got) != 3 {
		t.Fatalf("wanted are %+v", got)
	}
	if w := got[0]; w.Condition != 0 || w.With != 1 || !w.Result || !slices.Equal(w.Values, []coverage.Value{tr, tr}) {
		t.Errorf("C1 wants %+v", w)
	}
	if a, b := got[1], got[2]; a.Condition != 1 || a.With != 0 || a.Result == b.Result ||
		!slices.Equal(a.Values, []coverage.Value{tr, f}) || !slices.Equal(b.Values, []coverage.Value{tr, tr}) {
		t.Errorf("C2 wants %+v and %+v", a, b)
	}
	d.Conditions[0].Pair, d.Conditions[1].Folded = [2]int{1, 2}, true
	if got := d.Wanted(); got != nil {
		t.Errorf("nothing is wanted, and yet %+v", got)
	}
	// A graph that goes round comes to an end, and so does one that leads nowhere.
	for _, next := range [][2]int16{{0, 1}, {1, 1}, {7, -1}} {
		d := and()
		d.Conditions[0].Next, d.Conditions[1].Next = next, [2]int16{0, 0}
		d.Wanted()
	}
}
