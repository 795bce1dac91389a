package covdb

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"proflens/analyze/coverage"
	"proflens/decode/covmap"
	"proflens/decode/model"
)

// Each kind of misfit is told once, with how many there are and the first three by name.
func TestEachMisfitIsTold(t *testing.T) {
	misfits := func(kind MisfitKind, ran bool, n int) (list []Misfit) {
		for i := range n {
			list = append(list, Misfit{Kind: kind, Ran: ran, Name: nameOf(fmt.Sprint(kind, i))})
		}
		return list
	}
	all := slices.Concat(misfits(Mismatched, false, 5), misfits(Short, false, 1), misfits(Bitmapless, false, 2),
		misfits(Lost, true, 3), misfits(Lost, false, 4), misfits(Hidden, true, 2), misfits(Hidden, false, 7),
		misfits(DummyRecord, false, 6))
	other := otherLines(&coverage.Misfits{Other: []coverage.Misfit{{Name: "twice"}, {Name: "once"}, {Name: "twice"}}})
	for name, test := range map[string]struct {
		of   tables
		want []string
	}{
		"all": {
			tables{records: 9, joined: 1, foreign: 3, functions: make([]coverage.Function, 2), misfits: all, other: other},
			[]string{
				"warning coverage.mismatched 5", "warning coverage.short 1", "warning coverage.no_bitmap 2",
				"warning coverage.other_lines 2", "warning coverage.lost 3", "note coverage.lost_idle 4", "note coverage.hidden 2",
				"note coverage.dummies 6", "note coverage.unmapped 3",
			},
		},
		"another program": {
			tables{records: 9, foreign: 9, functions: make([]coverage.Function, 2), misfits: misfits(Mismatched, false, 1)},
			[]string{"warning coverage.wrong_program 3"},
		},
		"another program, whose functions are all of others": {
			tables{records: 9, foreign: 9, misfits: misfits(Mismatched, false, 1)}, []string{"warning coverage.wrong_program 1"},
		},
		"no records":   {tables{functions: make([]coverage.Function, 2)}, nil},
		"no functions": {tables{records: 9, foreign: 9}, nil},
		"what fits":    {tables{records: 2, joined: 2, functions: make([]coverage.Function, 2)}, nil},
	} {
		var got []string
		for _, f := range test.of.Findings() {
			got = append(got, fmt.Sprint(f.Severity, " ", f.Code, " ", f.Count))
			if f.Kind != model.KindIncompatible {
				t.Errorf("%s: %s is %v", name, f.Code, f.Kind)
			}
			if f.Code == "coverage.mismatched" &&
				!strings.HasSuffix(f.Message, ": mismatched0, mismatched1, mismatched2 and 2 more") ||
				f.Code == "coverage.lost" && !strings.HasSuffix(f.Message, ": lost0, lost1, lost2") {
				t.Errorf("%s: %q", name, f.Message)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// A long name is cut between its letters.
func TestLongNamesAreCut(t *testing.T) {
	long := strings.Repeat("a", 119)
	for name, want := range map[string]string{
		"short": "short", long + "b": long + "b", long + "bc": long + "b…", long + "ü": long + "…",
	} {
		if got := cutName(name); got != want || !utf8.ValidString(got) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A function ran if one of its instances did, also where their counts come to 2^64.
func TestInstancesThatRan(t *testing.T) {
	for counts, want := range map[[2]uint64][2]coverage.Metric{ // of functions, of instantiations
		{1 << 63, 1 << 63}: {{Total: 1, Covered: 1}, {Total: 2, Covered: 2}}, {0, 0}: {{Total: 1}, {Total: 2}},
		{0, 3}: {{Total: 1, Covered: 1}, {Total: 2, Covered: 1}},
	} {
		var functions []coverage.Function
		for _, n := range counts {
			functions = append(functions, coverage.Function{
				Files: []int32{0}, Regions: []coverage.Region{{
					Kind: covmap.Code, Start: covmap.Position{Line: 1, Column: 1}, End: covmap.Position{Line: 2, Column: 1}, Count: n,
				}},
			})
		}
		c, of := coverage.New([]string{"a.h"}, functions), tables{}
		of.summaries, of.unions = c.Totals()
		of.sum(c)
		if got := of.sums[0]; got.Functions != want[0] || got.Instantiations != want[1] || of.first[1] != 0 {
			t.Errorf("%d: %+v", counts, got)
		}
	}
}
