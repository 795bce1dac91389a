package memprofview

import (
	"testing"

	"proflens/profile/memprofdb"
)

// Rows that read alike say by which caller they differ, the last that it takes; others say nothing.
func TestAlikeRowsSayWhereTheyDiffer(t *testing.T) {
	functions := map[byte]*memprofdb.Function{}
	row := func(stack string) (r memprofdb.Row) {
		for i := range len(stack) {
			if functions[stack[i]] == nil {
				functions[stack[i]] = &memprofdb.Function{Name: stack[i : i+1]}
			}
			// Of where a call was inlined a row says nothing.
			r.Stack = append(r.Stack, memprofdb.Frame{Function: functions[stack[i]], Line: 7, Inline: len(stack)%2 == 0})
		}
		return r
	}
	stacks := []string{"abcd", "abce", "abf", "ab", "xyz", ""}
	var rows []memprofdb.Row
	for _, stack := range stacks {
		rows = append(rows, row(stack))
	}
	for i, f := range differing(rows) {
		got := ""
		if f != nil {
			got = f.Name
		}
		if want := []string{"d", "e", "f", "", "", ""}[i]; got != want {
			t.Errorf("%q differs at %q, want %q", stacks[i], got, want)
		}
	}
	rows[0].Own = 1
	if list := differing(rows[:2]); list[0] != nil || list[1] != nil {
		t.Errorf("rows of two blame frames differ at %v", list)
	}
}
