package chart

import (
	"testing"

	"proflens/internal/humanize"
)

func TestSeriesChart(t *testing.T) {
	y := func(v float64) string { return humanize.Int(int(v)) }
	lines := []Series{{Name: "a", Values: []float64{4, 8}}, {Name: "b", Values: []float64{0, 2}}}
	c := NewSeriesChart("a and b", []string{"one", "two"}, lines, true, y)
	if c.Lines[0].Path != "M0 500H500V0H1000" || c.Lines[1].Path != "M0 1000H500V750H1000" {
		t.Errorf("joined steps are %+v", c.Lines)
	}
	if c.YTicks[4].Label != "8" || c.XTicks[0].At != "25%" || c.XTicks[1].Label != "two" {
		t.Errorf("axes are %+v %+v", c.YTicks, c.XTicks)
	}
	if c = NewSeriesChart("", []string{"one", "two"}, lines, false, y); c.Lines[0].Path != "M0 500H500M500 0H1000" {
		t.Errorf("steps of their own are %s", c.Lines[0].Path)
	}
	many := make([]string, 100)
	if c = NewSeriesChart("", many, []Series{{Values: make([]float64, 100)}}, true, y); c != nil {
		t.Error("nothing was drawn")
	}
	values := make([]float64, 100)
	values[99] = 1
	if c = NewSeriesChart("", many, []Series{{Values: values}}, true, y); len(c.XTicks) > 6 {
		t.Errorf("%d labels do not fit", len(c.XTicks))
	}
	if NewSeriesChart("", []string{"one"}, lines, true, y) != nil {
		t.Error("one column is no series")
	}
}

func TestSpanStep(t *testing.T) {
	for v, want := range map[float64]int{100: 1, 199: 1, 201: 2, 25599: 8, 25600: 8} {
		if got := SpanStep(v, 100, 25600); got != want {
			t.Errorf("%v of 100 to 25600 is step %d, not %d", v, got, want)
		}
	}
	if got := SpanStep(7, 7, 7); got != 8 {
		t.Errorf("the only value is step %d", got)
	}
}
