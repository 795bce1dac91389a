package chart

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"proflens/internal/humanize"
)

func TestHeatStep(t *testing.T) {
	h := NewHeat(41, 6_100_000, 203_000_000_000)
	last := -1
	for _, v := range []uint64{
		0, 1, 41, 42, 1000, 100_000, 6_099_999, 6_100_000, 1_000_000_000, 203_000_000_000, math.MaxUint64,
	} {
		step := h.Step(v)
		if step < last || step >= HeatSteps {
			t.Errorf("step of %d is %d after %d", v, step, last)
		}
		last = step
	}
	for v, want := range map[uint64]int{0: 0, 41: 1, 42: 2, 6_099_999: 5, 6_100_000: 6, 203_000_000_000: 8} {
		if got := h.Step(v); got != want {
			t.Errorf("step of %d is %d, want %d", v, got, want)
		}
	}
	none := NewHeat(0, 0, 1<<20)
	if none.Step(1) != 1 || none.Step(1<<20) != 8 || none.Step(0) != 0 {
		t.Error("without thresholds the scale does not run from 1 to the largest")
	}
	if one := NewHeat(1, 1, 1); one.Step(1) != 8 {
		t.Errorf("the only count is of step %d", one.Step(1))
	}
}

func TestBars(t *testing.T) {
	if b := ShareBar(0.5, 1); b.Width != "50" || b.Step != 7 {
		t.Errorf("half of the largest: %+v", b)
	}
	if b := ShareBar(1e-9, 1); b.Width != "1" || b.Step != 1 {
		t.Errorf("next to nothing: %+v", b)
	}
	if b := ShareBar(0, 0); b.Width != "0" {
		t.Errorf("nothing: %+v", b)
	}
	h := NewHeat(0, 0, 1<<40)
	if b := LogBar(1<<30, 1<<40, h); b.Width != "50" {
		t.Errorf("ten halvings of twenty: %+v", b)
	}
	if b := LogBar(1, 1<<40, h); b.Width != "4" {
		t.Errorf("a count that is not zero has no bar: %+v", b)
	}
}

func TestCurve(t *testing.T) {
	if NewCurve(nil, 0, 0) != nil || NewCurve([]CurvePoint{{1, 0}}, 0, 0) != nil {
		t.Error("a curve without shares is drawn")
	}
	one := NewCurve([]CurvePoint{{1, 1}}, 1, 1)
	if one.Line != "M0 0H1000" {
		t.Errorf("one function: %q", one.Line)
	}
	c := NewCurve([]CurvePoint{{1, 0.5}, {10, 0.9}, {100, 0.99}, {1000, 1}}, 10, 100)
	if c.Line != "M0 500L333.33 100L666.67 10L1000 0" {
		t.Errorf("line %q", c.Line)
	}
	if len(c.Marks) != 2 || c.Marks[0].X != "33.33%" || c.Marks[0].Y != "10%" || c.Marks[1].Note != "100" {
		t.Errorf("marks %+v", c.Marks)
	}
	if len(c.XTicks) != 4 || c.XTicks[3].At != "100%" {
		t.Errorf("ticks %+v", c.XTicks)
	}
	if last := c.Rows[len(c.Rows)-1]; plain(last.N) != "1_000" || plain(last.Share) != "100_%" {
		t.Errorf("the table ends with %+v", last)
	}
}

// TestCurveLabels puts the marks everywhere and asserts that their labels meet
// neither each other nor the edge, or stand on two lines.
func TestCurveLabels(t *testing.T) {
	for i := range 101 {
		for j := i; j <= 100; j++ {
			at := []float64{float64(i) / 100, float64(j) / 100}
			marks := make([]CurveMark, 2)
			spread(marks, at)
			var from, to [2]float64
			for k := range marks {
				from[k], to[k] = at[k], at[k]+labelWidth
				if marks[k].Left {
					from[k], to[k] = at[k]-labelWidth, at[k]
				}
				if from[k] < -0.001-labelWidth || to[k] > 1+overhang+0.001 {
					t.Fatalf("labels of %v leave the plot: %+v", at, marks)
				}
			}
			if !marks[1].Low && from[0] < to[1] && from[1] < to[0] {
				t.Fatalf("labels of %v meet: %+v", at, marks)
			}
		}
	}
}

// TestCurveLabelsClear asserts that the curve runs through no label: one on the
// left of its line hangs under the curve's height at the label's far end.
func TestCurveLabelsClear(t *testing.T) {
	c := NewCurve([]CurvePoint{{1, 0.1}, {10, 0.3}, {100, 0.5}, {1000, 1}}, 900, 990)
	for _, m := range c.Marks {
		if !m.Left {
			t.Fatalf("a label at the right edge stands to the right: %+v", m)
		}
		y, err := strconv.ParseFloat(strings.TrimSuffix(m.LabelY, "%"), 64)
		if err != nil || y < 25 {
			t.Errorf("the label of %s hangs at %s, where the curve runs through it", m.Label, m.LabelY)
		}
	}
}

// TestHotLabelClear asserts that no bar under the label of the hot line reaches
// up to it.
func TestHotLabelClear(t *testing.T) {
	histogram := [65]uint64{0: 60, 1: 10, 6: 100, 7: 100, 20: 1}
	d := NewDistribution(histogram, NewHeat(1, 32, 1<<20), HotNote{Threshold: 32, Reach: 201, Counters: 271})
	for _, i := range []int{6, 7} {
		y, err := strconv.ParseFloat(strings.TrimSuffix(d.Bars[i].Y, "%"), 64)
		if err != nil || y < 13 {
			t.Errorf("bar %d begins at %s, behind the label", i, d.Bars[i].Y)
		}
	}
}

func TestDistribution(t *testing.T) {
	if NewDistribution([65]uint64{}, Heat{}, HotNote{}) != nil {
		t.Error("a distribution of nothing is drawn")
	}
	histogram := [65]uint64{0: 1000, 1: 10, 5: 100, 24: 20}
	d := NewDistribution(histogram, NewHeat(4, 1<<20, 1<<24), HotNote{Threshold: 1 << 20, Reach: 20, Counters: 1130})
	if len(d.Bars) != 25 {
		t.Fatalf("%d bars, want one for zero and each power up to the largest", len(d.Bars))
	}
	if !d.Bars[0].Clipped || d.Bars[0].Height != "100%" || d.Bars[5].Clipped {
		t.Errorf("the bar of zero is %+v", d.Bars[0])
	}
	if plain(d.Bars[5].Range) != "16–31" || d.Bars[5].Counters != "100" || d.Bars[5].Says != "100 counters" {
		t.Errorf("bar 5 is %+v", d.Bars[5])
	}
	if d.Hot == nil || !strings.Contains(plain(d.Hot.Note), "1.8_% of counters") {
		t.Errorf("the hot line is %+v", d.Hot)
	}
	full := [65]uint64{64: 1}
	if bars := NewDistribution(full, NewHeat(4, 1<<20, 1<<24), HotNote{}).Bars; bars[64].Says != "1 counter" {
		t.Errorf("the bar of one counter says %q", bars[64].Says)
	}
	if d := NewDistribution(full, NewHeat(1, 1, math.MaxUint64),
		HotNote{Threshold: math.MaxUint64, Counters: 1}); len(d.Bars) != 65 || !d.Hot.Left {
		t.Errorf("the largest counter: %d bars", len(d.Bars))
	}
}

func TestStrip(t *testing.T) {
	link := func(from, to int) string { return fmt.Sprintf("%d..%d", from, to) }
	if NewStrip([]uint64{1}, 0, 0, Heat{}, link) != nil {
		t.Error("a strip of one counter is drawn")
	}
	counters := make([]uint64, 2500)
	counters[2499] = 7
	s := NewStrip(counters, 1000, 1199, NewHeat(0, 0, 7), link)
	if len(s.Bars) != 1 || s.Bars[0].X != "996" || s.Bars[0].Step != 8 {
		t.Errorf("bars %+v", s.Bars)
	}
	if s.Window == nil || s.Window.X != "400" || s.Window.Width != "80" {
		t.Errorf("window %+v", s.Window)
	}
	if len(s.Pages) != 13 || s.Pages[12].URL != "2400..2499" || !s.Pages[5].Current {
		t.Errorf("pages %+v", s.Pages)
	}
	if long := NewStrip(make([]uint64, 1_000_000), 0, 999, Heat{}, link); len(long.Pages) > brushParts {
		t.Errorf("a very long function has %d links in its strip", len(long.Pages))
	}
}

func TestZoom(t *testing.T) {
	counters := make([]uint64, 1000)
	counters[88], counters[89], counters[400] = 4096, 64, 1
	heat := NewHeat(0, 0, 4096)
	z := NewZoom(counters, 60, 159, 88, heat)
	if len(z.Bars) != 100 || z.Bars[28].Mark != "4\u00a0096, no. 88" || z.Bars[28].Y != "0%" ||
		z.Bars[29].Title != "counter 89: 64" {
		t.Errorf("%d bars, %+v", len(z.Bars), z.Bars[28:30])
	}
	// A part away from the largest keeps the scale of the whole, and marks nothing.
	if away := NewZoom(counters, 390, 410, 88, heat); away.Bars[10].Mark != "" || away.Bars[10].Height == "100%" ||
		away.Bars[9].Height != "1.5%" {
		t.Errorf("%+v", away.Bars[9:11])
	}
	if wide := NewZoom(make([]uint64, 100_000), 0, 99_999, 0, heat); len(wide.Bars) != StripBuckets {
		t.Errorf("%d bars of 100 000 counters", len(wide.Bars))
	}
	for _, wrong := range [][3]int{{5, 4, 0}, {-1, 4, 0}, {0, 1000, 0}, {0, 4, 1000}} {
		if NewZoom(counters, wrong[0], wrong[1], wrong[2], heat) != nil {
			t.Errorf("%v is drawn", wrong)
		}
	}
}

func TestBarcode(t *testing.T) {
	paths := NewBarcode([]uint64{0, 1, 0, 4096}, NewHeat(0, 0, 4096))
	if len(paths) != 2 || paths[0].D != "M250 0h250v20h-250z" || paths[1].Step != 8 {
		t.Errorf("%+v", paths)
	}
}

func TestShape(t *testing.T) {
	s := NewShape([]uint64{0, 4096, 1, 4096}, 4, NewHeat(0, 0, 4096))
	paths := s.Paths()
	if len(paths) != 2 || paths[1].D != "M4 0h3v16h-3zM12 0h3v16h-3z" {
		t.Errorf("paths %+v", paths)
	}
}

func TestBitmap(t *testing.T) {
	if NewBitmap(nil) != nil {
		t.Error("no bitmap is drawn")
	}
	m := NewBitmap([]byte{0x05, 0, 0, 0, 0, 0, 0, 0, 0x80})
	if m.Height != 2 || len(m.Cells) != 3 || m.Cells[1] != (BitmapCell{"2", "0"}) || m.Cells[2] != (BitmapCell{"7", "1"}) {
		t.Errorf("%+v", m)
	}
	if big := NewBitmap(make([]byte, 1<<20)); big.Height != bitmapRows || big.More == "" {
		t.Errorf("a large bitmap has %d rows", big.Height)
	}
}

// plain writes the spaces of numbers as "_".
func plain(s string) string {
	return strings.ReplaceAll(s, humanize.NumberSpace, "_")
}
