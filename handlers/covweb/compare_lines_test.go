package covweb

import (
	"fmt"
	"testing"

	"proflens/analyze/coverage"
)

func TestComparedRuns(t *testing.T) {
	say := func(runs []comparedRun) string {
		text := ""
		for _, r := range runs {
			switch {
			case r.fold > 0:
				text += fmt.Sprintf("[%d after %d]", r.fold, r.at)
			case r.pair == nil:
				text += fmt.Sprintf("-%d+%d ", r.test, r.n)
			default:
				text += fmt.Sprintf("%c%d+%d ", "=^vAB"[r.pair.Turn], r.pair.Test+uint32(r.from), r.n)
			}
		}
		return text
	}
	pair := func(turn coverage.Turn, test uint32, n int) coverage.LinePair {
		return coverage.LinePair{Turn: turn, Test: test, Lines: n}
	}
	pairs := []coverage.LinePair{
		pair(coverage.Kept, 1, 10), pair(coverage.NewlyCovered, 11, 2), pair(coverage.Kept, 13, 3),
		pair(coverage.Kept, 20, 9), pair(coverage.NewlyUncovered, 29, 1), pair(coverage.BaseOnly, 0, 4),
		pair(coverage.Kept, 30, 5),
	}
	if got, want := say(comparedRuns(pairs, 0)), "=1+10 ^11+2 =13+3 =20+9 v29+1 A0+4 =30+5 "; got != want {
		t.Errorf("without text %s, want %s", got, want)
	}
	all := comparedRuns(pairs, 17)
	if got, want := say(all), "=1+10 ^11+2 =13+3 -16+2 =20+9 v29+1 A0+4 =30+5 "; got != want {
		t.Errorf("with a text of 17 lines %s, want %s", got, want)
	}
	if got, want := say(foldKept(all)), "[8 after 0]=9+2 ^11+2 =13+2 [10 after 14]=27+2 v29+1 A0+4 =30+5 "; got != want {
		t.Errorf("folded %s, want %s", got, want)
	}
	for kept, want := range map[int]string{5: "=1+5 ^6+1 ", 6: "[4 after 0]=5+2 ^7+1 "} { // fewer lines are shown
		few := []coverage.LinePair{
			pair(coverage.Kept, 1, kept), pair(coverage.NewlyCovered, uint32(kept)+1, 1),
		}
		if got := say(foldKept(comparedRuns(few, 0))); got != want {
			t.Errorf("%d lines folded %s, want %s", kept, got, want)
		}
	}
	if got, want := say(foldKept([]comparedRun{{pair: &coverage.LinePair{Test: 1, Lines: 1 << 32},
		n: 1 << 32}})), "[4294967296 after 0]"; got != want {
		t.Errorf("2^32 lines folded: %s", got)
	}
}
