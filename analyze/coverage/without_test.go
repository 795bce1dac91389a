package coverage_test

import (
	"os"
	"testing"

	"proflens/analyze/coverage"
	"proflens/analyze/coverage/coveragetest"
	"proflens/analyze/sources"
)

// What markers name is in no number, and neither are expansions where they are not wanted; all else
// stays.
func TestWithout(t *testing.T) {
	const dir = "../../decode/covmap/testdata/clang-22/kinds/"
	text, err := os.ReadFile(dir + "src/own.c")
	if err != nil {
		t.Fatal(err)
	}
	c := coveragetest.Join(t, dir, "kinds.profdata", coverage.Options{}, "kinds.covmapping")
	marks := func(file int) *coverage.Marks {
		if c.Files[file].Name != "/kinds/src/own.c" {
			return nil
		}
		return coverage.MarksOf(sources.Lines(text))
	}
	sum := func(c *coverage.Coverage) (s coverage.Summary) {
		for _, file := range c.Summaries(nil) {
			s.Add(file)
		}
		return s
	}
	type numbers struct{ lines, regions, branches, functions, mcdc int }
	missing := func(s coverage.Summary) numbers {
		return numbers{s.Lines.Total, s.Regions.Total, s.Branches.Total, s.Functions.Total, s.MCDC.Total}
	}
	for name, one := range map[string]struct {
		coverage.Without
		want numbers
	}{
		"nothing": {coverage.Without{}, numbers{34, 27, 14, 7, 2}},
		"markers": {coverage.Without{Marks: marks}, numbers{28, 22, 10, 6, 2}},
		"macros":  {coverage.Without{Macros: true}, numbers{34, 23, 12, 7, 2}},
		"both":    {coverage.Without{Marks: marks, Macros: true}, numbers{28, 18, 8, 6, 2}},
	} {
		left, _ := c.Without(one.Without)
		if got := missing(sum(left)); got != one.want {
			t.Errorf("without %s: %+v, not %+v", name, got, one.want)
		}
	}
	if got := missing(sum(c)); got != (numbers{34, 27, 14, 7, 2}) {
		t.Errorf("the coverage itself is %+v", got)
	}
}

// Markers are whole words, of LCOV and of gcovr; what nothing stops goes on to the end.
func TestMarksOf(t *testing.T) {
	for text, open := range map[string]uint32{
		"a // GCOVR_EXCL_LINE\n": 0, "a // GCOV_EXCL_FUNCTION": 0, "\nLCOV_EXCL_START\nb": 2,
		"LCOV_EXCL_START\nLCOV_EXCL_STOP\n": 0, "\n\n// LCOV_EXCL_BR_START\n": 3,
	} {
		if m := coverage.MarksOf(sources.Lines([]byte(text))); m == nil || m.Open != open {
			t.Errorf("%q: %+v", text, m)
		}
	}
	for _, text := range []string{"", "LCOV_EXCL_LINES", "XLCOV_EXCL_LINE", "LCOV_EXCL_STOP_", "_EXCL_\xff"} {
		if m := coverage.MarksOf(sources.Lines([]byte(text))); m != nil {
			t.Errorf("%q: %+v", text, m)
		}
	}
}
