package memprofview

import (
	"runtime/debug"
	"slices"
	"strconv"
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
	for _, stack := range []string{"qrrs", "qrss", "qsrs"} { // frames of all, told apart by their numbers
		rows = append(rows, row(stack))
	}
	want := []string{"d", "e", "f", "", "xh", "xi", "yh", "yi", "", "", "", "l", "m", "n", "o", "r2", "s2", "s1"}
	for i, spots := range differing(rows) {
		got := ""
		for _, s := range spots {
			if got += s.Name; s.number != unsaid {
				got += strconv.Itoa(s.number)
			}
		}
		if got != want[i] {
			t.Errorf("row %d differs at %q, want %q", i, got, want[i])
		}
	}
	rows[0].Own = 1
	if list := differing(rows[:2]); list[0] != nil || list[1] != nil {
		t.Errorf("rows of two blame frames differ at %v", list)
	}
}

// The deepest stacks take a loop, no stack of as many calls.
func TestDeepStacksDiffer(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(1 << 20))
	const depth = 1 << 14
	rows, of := make([]memprofdb.Row, 2), new(memprofdb.Function)
	for i := range rows {
		rows[i].Stack = slices.Repeat([]memprofdb.Frame{{Function: of, Line: 7}}, depth)
		rows[i].Stack[depth-1].Line = uint32(i)
	}
	for i, spots := range differing(rows) {
		if len(spots) != 1 || spots[0].Line != uint32(i) || spots[0].number != unsaid {
			t.Errorf("row %d differs at %v", i, spots)
		}
	}
}
