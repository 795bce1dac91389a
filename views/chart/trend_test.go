package chart

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func values(n int, at func(i int) (number float64, known bool)) []TrendValue {
	list := make([]TrendValue, n)
	for i := range list {
		list[i].Number, list[i].Known = at(i)
		list[i].Tick = fmt.Sprint("month ", i/10)
	}
	return list
}

func write(n float64) string { return fmt.Sprintf("%g", n) }

func TestTrend(t *testing.T) {
	list := values(100, func(i int) (float64, bool) { return 70 + float64(i%2), i != 50 })
	list[20].Step, list[20].StepText = -2, "down"
	list[25].Step, list[25].StepText = 1, "up" // too near to be labelled
	list[60].Step, list[60].StepText = 1, "up again"
	list[95].Step, list[95].StepText = 2, "late"
	c := NewTrend("a trend", list, TrendAxis{
		Better: 1, Most: 100, Write: write, Limits: []TrendBound{{At: 70.5, Least: true, Label: "at least"}},
	})
	if len(c.Lines) != 2 || len(c.Points) != 99 || !c.Dotted || !c.Points[98].Newest || !c.Points[0].Missed ||
		c.Points[1].Missed {
		t.Errorf("%d lines, %d points", len(c.Lines), len(c.Points))
	}
	said := ""
	for _, s := range c.Steps {
		said += fmt.Sprintf("%s %v %v; ", s.Text, s.Worse, s.Left)
	}
	if said != "down true false;  false false; up again false false; late false true; " {
		t.Errorf("steps: %s", said)
	}
	two := values(2, func(i int) (float64, bool) { return 70 + float64(i), true })
	two[1].Step, two[1].StepText = 1, "up"
	if s := NewTrend("two builds", two, TrendAxis{Write: write}).Steps[0]; !s.Left || s.TextX != Along(1) {
		t.Errorf("the label of a band from the start is at %s, %v: there is no room to its left", s.TextX, s.Left)
	}
	for _, ticks := range [][]Tick{c.XTicks, c.YTicks} {
		if len(ticks) < 2 || len(ticks) > 13 {
			t.Errorf("%d ticks", len(ticks))
		}
	}
	if NewTrend("", values(3, func(int) (float64, bool) { return 0, false }), TrendAxis{Write: write}) != nil {
		t.Error("a trend of nothing")
	}
}

// Whatever the values are, all is placed within the plot.
func TestTrendStaysInside(t *testing.T) {
	for _, list := range [][]float64{
		{0}, {100}, {0, 0}, {100, 100, 100}, {1e-9, 2e-9}, {1e18, 1e18 + 1e3}, {0, 1e300}, {5, 5.000001}, {1 << 40, 1 << 20},
		{math.MaxFloat64, 1},
	} {
		for _, axis := range []TrendAxis{{Write: write}, {Write: write, Most: 100}, {Write: write, Bytes: true}} {
			c := NewTrend("", values(len(list), func(i int) (float64, bool) { return min(list[i], 1e301), true }), axis)
			for _, p := range c.Points {
				var y float64
				if _, err := fmt.Sscanf(strings.TrimSuffix(p.Y, "%"), "%g", &y); err != nil || y < -0.01 || y > 100.01 {
					t.Errorf("%v: a point at %s", list, p.Y)
				}
			}
			if len(c.YTicks) == 0 || len(c.YTicks) > 13 {
				t.Errorf("%v: %d ticks", list, len(c.YTicks))
			}
		}
	}
}
