package chart

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

// frameBox reads where a frame stands: units of a thousand across, pixels down.
func frameBox(t *testing.T, f TreemapFrame) box {
	t.Helper()
	number := func(s string) float64 {
		v, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	return box{10 * number(f.X), number(f.Y), 10 * number(f.Width), number(f.Height)}
}

// Areas are in proportion to weights, within the map, and none overlaps another.
func TestTreemapAreas(t *testing.T) {
	var root TreemapNode
	for i := range 40 {
		root.Children = append(root.Children, TreemapNode{Label: strconv.Itoa(i), Weight: float64(1 + i*i%17)})
		root.Weight += root.Children[i].Weight
	}
	m := NewTreemap(root)
	if len(m.Frames) != 40 {
		t.Fatalf("%d frames", len(m.Frames))
	}
	weight := map[string]float64{}
	for _, c := range root.Children {
		weight[c.Label] = c.Weight
	}
	for i, f := range m.Frames {
		b := frameBox(t, f)
		if want := weight[f.Label] / root.Weight * treemapWidth * treemapHeight; f.Label != "" &&
			math.Abs(b.w*b.h-want) > 0.02*want+20 {
			t.Errorf("frame %s has an area of %g, want %g", f.Label, b.w*b.h, want)
		}
		if b.x < 0 || b.y < 0 || b.x+b.w > treemapWidth+0.2 || b.y+b.h > treemapHeight+0.2 {
			t.Errorf("frame %d stands outside: %+v", i, b)
		}
		for _, g := range m.Frames[:i] {
			o := frameBox(t, g)
			if across, down := min(b.x+b.w, o.x+o.w)-max(b.x, o.x), min(b.y+b.h, o.y+o.h)-max(b.y, o.y); across > 0.3 &&
				down > 0.3 {
				t.Errorf("frames %+v and %+v overlap", b, o)
			}
		}
	}
}

func TestTreemapOfManySmallOnes(t *testing.T) {
	root := TreemapNode{Weight: 1e6}
	for range 100_000 {
		root.Children = append(root.Children, TreemapNode{Weight: 10})
	}
	if m := NewTreemap(root); len(m.Frames) != 1 || !m.Frames[0].Rest {
		t.Errorf("%d frames", len(m.Frames))
	}
	for _, nothing := range []TreemapNode{{}, {Weight: 1}, {Children: []TreemapNode{{}}}} {
		if m := NewTreemap(nothing); m != nil && len(m.Frames) > 0 {
			t.Errorf("%+v draws %+v", nothing, m)
		}
	}
}

func TestByteRuler(t *testing.T) {
	r := NewByteRuler([]RulerSpan{{0, 10, true, "a"}, {10, 10, false, "b"}, {10, 40, false, "c"}}, 40)
	if len(r.Stretches) != 2 || r.Stretches[0].Width != "250" || r.Stretches[1].X != "250" ||
		r.Stretches[0].Cover.Width != "100" || r.Stretches[1].Cover.Width != "0" ||
		r.Label != "40 bytes, 10 of them covered" {
		t.Errorf("%+v", r)
	}
	var many []RulerSpan
	for i := range uint32(10_000) {
		many = append(many, RulerSpan{4 * i, 4*i + 4, i%2 == 0, ""})
	}
	if r = NewByteRuler(many, 40_000); len(r.Stretches) != RulerStretches || r.Stretches[7].Cover.Sign != "◐" {
		t.Errorf("%d stretches, %+v", len(r.Stretches), r.Stretches[7])
	}
	if NewByteRuler(nil, 0) != nil {
		t.Error("a function without bytes has a ruler")
	}
}

func TestAddressMap(t *testing.T) {
	m := NewAddressMap([]int64{-100, 0, 99}, []uint32{4, 4, 1}, -100, 100, func(v int64) string {
		return strconv.FormatInt(v, 10)
	})
	if m.Columns != 3 || m.First != "-100" || m.Last != "100" || len(m.Cells) != 2 {
		t.Fatalf("%+v", m)
	}
	if got := m.Cells[1].D; got != "M0 0h1v1h-1zM1 32h1v1h-1z" {
		t.Errorf("the largest are at %s", got)
	}
	big := NewAddressMap(make([]int64, 100_000), make([]uint32, 100_000), 0, math.MaxInt64,
		func(int64) string { return "" })
	if big.Columns != addressColumns {
		t.Errorf("%d columns", big.Columns)
	}
	if NewAddressMap(nil, nil, 0, 1, nil) != nil {
		t.Error("an order of no functions is drawn")
	}
}

func TestPlot(t *testing.T) {
	p := NewPlot([]PlotPoint{{0, 0}, {5, 50}, {10, 100}}, "a line")
	if p.Line != "M0 1000L500 500L1000 0" || len(p.YTicks) != 6 || p.YTicks[5].Label != "100\u00a0bytes" ||
		len(p.XTicks) != 6 {
		t.Errorf("%+v", p)
	}
	for _, last := range []uint64{1, 7, 999, 1 << 40, math.MaxUint64} {
		if n := len(roundSteps(last)); n < 2 || n > 6 {
			t.Errorf("%d steps to %d", n, last)
		}
	}
	if NewPlot(nil, "") != nil || NewPlot([]PlotPoint{{1, 0}}, "") != nil {
		t.Error("nothing is drawn")
	}
	for top, want := range map[uint64]string{
		5620: "0 bytes, 1 KiB, 2 KiB, 3 KiB, 4 KiB, 5 KiB", 1900: "0 bytes, 512 bytes, 1 KiB, 1.5 KiB",
		250 << 20: "0 bytes, 50 MiB, 100 MiB, 150 MiB, 200 MiB, 250 MiB",
	} {
		var labels []string
		for _, tick := range NewPlot([]PlotPoint{{1, top}}, "").YTicks {
			labels = append(labels, strings.ReplaceAll(tick.Label, "\u00a0", " "))
		}
		if got := strings.Join(labels, ", "); got != want {
			t.Errorf("to %d: %s", top, got)
		}
	}
}

// The axis of samples has round values, of which no two read the same.
func TestRoundTicks(t *testing.T) {
	for top, want := range map[float64]string{
		7171: "0 2000 4000 6000", 2: "0 1 2", 100: "0 25 50 75 100", 1: "0 1", 12: "0 5 10",
	} {
		var labels []string
		for _, tick := range roundTicks(top, func(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) }) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, " "); got != want {
			t.Errorf("to %g: %s", top, got)
		}
	}
}
