package sampleweb

import (
	"fmt"
	"strings"
	"testing"

	"proflens/decode/sampleprof"
	"proflens/handlers/site"
	"proflens/profile/sampledb"
)

// Lines without samples are put between those that have them, from the declaration on, if the text has them all.
func TestLinesBetweenSamples(t *testing.T) {
	for _, c := range []struct {
		spots    []uint32
		declared uint32
		lines    int
		want     string
	}{
		{[]uint32{0, 0, 3, 3, 6}, 2, 6, "[0 0 2 3 3 4 5 6]"}, {[]uint32{4, 5}, 7, 9, "[4 5]"}, {[]uint32{4, 6}, 0, 9,
			"[4 6]"},
		{[]uint32{4, 7}, 4, 6, "[4 7]"}, {[]uint32{0, 0}, 1, 9, "[0 0]"}, {[]uint32{1, linesShown + 2}, 1, 1 << 30,
			fmt.Sprint([]uint32{1, linesShown + 2})}, {nil, 1, 9, "[]"},
	} {
		var list []spot
		for i, line := range c.spots {
			list = append(list, spot{line: line, count: uint64(i + 1)})
		}
		var got []uint32
		with := withText(list, c.declared, c.lines)
		count := uint64(0)
		for _, s := range with {
			got = append(got, s.line)
			if s.count > 0 && s.count != count+1 {
				t.Errorf("%v: the samples are in another order: %v", c.spots, with)
			}
			count = max(count, s.count)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%v of %d lines from %d: %v, want %s", c.spots, c.lines, c.declared, got, c.want)
		}
	}
	whole := withText([]spot{{line: 1}, {line: linesShown + 1}}, 1, 1<<30)
	if len(whole) != linesShown+1 {
		t.Errorf("%d lines are shown", len(whole))
	}
}

// How functions stand in the program can be chosen where there are any, and where it is chosen; a tenth that is
// lost is much.
func TestFitsOfFunctions(t *testing.T) {
	o := &sampledb.Overview{}
	o.Program.Fits[sampleprof.FitGone].Functions = 2
	for fit, want := range map[string]string{
		"": "[*Stale and gone Gone 2]", "stale": "[Stale and gone *Stale 0 Gone 2]", "gone": "[Stale and gone *Gone 2]",
	} {
		a := site.NewAddress("/f")
		if fit != "" {
			a = a.With("fit", fit)
		}
		var words []string
		for _, s := range fitSegments(a, o) {
			words = append(words, map[bool]string{true: "*"}[s.Current]+s.Label)
		}
		if got := "[" + strings.Join(words, " ") + "]"; got != want {
			t.Errorf("%q: %s, want %s", fit, got, want)
		}
	}
	for lost, want := range map[uint64]string{0: "0 % false", 9: "9.0 % false", 10: "10.0 % true", 100: "100 % true"} {
		n := &sampledb.Name{}
		n.Sum, n.Lost[sampleprof.FitStale] = 100, lost
		part := lostOf(o, n)
		if got := strings.Join(strings.Fields(fmt.Sprint(part.Share, " ", part.Much)), " "); got != want {
			t.Errorf("%d of 100 lost: %s, want %s", lost, got, want)
		}
	}
	if lostOf(o, &sampledb.Name{}) != nil || lostOf(&sampledb.Overview{}, &sampledb.Name{}) != nil {
		t.Error("a part of nothing is lost")
	}
	for reader, want := range map[int]string{0: "LLVM of today", 15: "LLVM up to 15"} {
		if got := fileFacts(&sampledb.Overview{Reader: reader})[0].Value; got != want {
			t.Errorf("read by %s, want %s", got, want)
		}
	}
}
