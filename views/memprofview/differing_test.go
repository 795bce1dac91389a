package memprofview

import (
	"testing"

	"proflens/profile/memprofdb"
)

// Rows that read alike say by which frames they differ, as few as it takes; others say nothing.
func TestAlikeRowsSayWhereTheyDiffer(t *testing.T) {
	functions := map[byte]*memprofdb.Function{}
	row := func(stack string) (r memprofdb.Row) {
		for i := range len(stack) {
			if functions[stack[i]] == nil {
				functions[stack[i]] = &memprofdb.Function{Name: stack[i : i+1], Address: uint64(stack[i] | 0x20)}
			}
			// Of where a call was inlined a row says nothing.
			r.Stack = append(r.Stack, memprofdb.Frame{Function: functions[stack[i]], Line: 7, Inline: len(stack)%2 == 0})
		}
		return r
	}
	stacks := []string{"abcd", "abce", "abf", "ab", "abgxh", "abgxi", "abgyh", "abgyi", "xyz", "xyz", ""}
	var rows []memprofdb.Row
	for _, stack := range stacks {
		rows = append(rows, row(stack))
	}
	for _, stack := range []string{"jlk", "jmk", "Jnk", "jok"} { // "J" reads like "j"
		below := row(stack)
		below.Own = 2
		rows = append(rows, below)
	}
	want := []string{"d", "e", "f", "", "hx", "ix", "hy", "iy", "", "", "", "l", "m", "n", "o"}
	for i, frames := range differing(rows, addresses{}.Short) {
		got := ""
		for _, f := range frames {
			got += f.Name
		}
		if got != want[i] {
			t.Errorf("row %d differs at %q, want %q", i, got, want[i])
		}
	}
	rows[0].Own = 1
	if list := differing(rows[:2], addresses{}.Short); list[0] != nil || list[1] != nil {
		t.Errorf("rows of two blame frames differ at %v", list)
	}
}
