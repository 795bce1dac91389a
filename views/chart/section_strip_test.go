package chart

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestSectionStrip: the parts cover the width in order, none too narrow to be
// seen, and there are never very many.
func TestSectionStrip(t *testing.T) {
	for name, sizes := range map[string][]uint64{
		"one":        {7},
		"header":     {128, 1 << 40},
		"equal":      slices.Repeat([]uint64{10}, 20),
		"very many":  slices.Repeat([]uint64{1}, 20000),
		"and a body": append(slices.Repeat([]uint64{3}, 5000), 1<<50),
	} {
		var runs []FileRun
		var size uint64
		for i, n := range sizes {
			runs = append(runs, FileRun{Offset: size, Size: n, Category: i % 12, Name: "s"})
			size += n
		}
		s := NewSectionStrip(runs, size, []FilePlace{{0, "a"}, {size - 1, "b"}, {1<<64 - 1, "c"}})
		if len(s.Parts) > stripParts {
			t.Errorf("%s: %d parts", name, len(s.Parts))
		}
		at := 0.0
		for i, p := range s.Parts {
			x, width := number(t, p.X), number(t, p.Width)
			if x < at-0.02 || x > at+0.02 {
				t.Errorf("%s: part %d begins at %v, want %v", name, i, x, at)
			}
			if width < 0.3 {
				t.Errorf("%s: part %d is %v %% wide", name, i, width)
			}
			at = x + width
		}
		if at < 99.9 || at > 100.1 {
			t.Errorf("%s: the parts end at %v %%", name, at)
		}
		if first, last := number(t, s.Faults[0].X), number(t, s.Faults[2].X); first != 0 || last != 100 {
			t.Errorf("%s: places at %v and %v", name, first, last)
		}
	}
	if NewSectionStrip(nil, 0, nil) != nil {
		t.Error("a strip of an empty file")
	}
}

// number is a percentage of a drawing.
func number(t *testing.T, percentage string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(strings.TrimSuffix(percentage, "%"), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
