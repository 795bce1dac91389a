package analyze_test

import (
	"math"
	"testing"

	"proflens/analyze"
	"proflens/decode/dcpi"
)

func TestDCPIRate(t *testing.T) {
	whole := analyze.DCPIRate{Period: 63_488, Fraction: 10_000, CPUSpeed: 333}
	if got := whole.Events(590); got != 590*63_488 {
		t.Errorf("%f events", got)
	}
	hertz := whole
	hertz.CPUSpeed = 333_000_000
	a, _ := whole.Seconds(590)
	b, ok := hertz.Seconds(590)
	if !ok || a != b || math.Abs(a-590*63_488/333e6) > 1e-12 {
		t.Errorf("%f and %f seconds", a, b)
	}
	half := analyze.DCPIRate{Period: 100, Fraction: 5000}
	if got := half.Events(3); got != 600 {
		t.Errorf("%f events of a multiplexed event", got)
	}
	if _, ok := half.Seconds(3); ok {
		t.Error("seconds without the processor's speed")
	}
	if (analyze.DCPIRate{Period: 5}).Events(7) != 0 || whole.SameEvents(half) || !whole.SameEvents(hertz) {
		t.Error("rates")
	}
}

func TestSpread(t *testing.T) {
	s := analyze.SpreadOf([]float64{757, 6414, 0})
	if s.Sum != 7171 || s.Sets != 2 || s.Min != 0 || s.Max != 6414 || s.Range != 6414 ||
		math.Abs(s.Share-6414.0/7171) > 1e-12 ||
		math.Abs(s.Mean-7171.0/3) > 1e-9 || math.Abs(s.Deviation-3505.0938) > 0.001 {
		t.Errorf("%+v", s)
	}
	if got := analyze.SpreadOf([]float64{0}); got.Share != 0 || got.Deviation != 0 {
		t.Errorf("%+v", got)
	}
}

// Span must answer as Find does, for every address that it says it answers for.
func TestSpansOfProcedures(t *testing.T) {
	m := analyze.NewProcedureMap([]dcpi.Procedure{
		{Address: 0x300, Name: "last"}, {Address: 0x100, Size: 0x10, Name: "sized"}, {Address: 0x200, Name: "b"},
		{Address: 0x200, Name: "a"},
		{Address: 0x180, Size: 0x100, Name: "long"},
	}, 0x380)
	for address := uint64(0); address < 0x400; address++ {
		want, ok := m.Find(address)
		if !ok {
			want = -1
		}
		i, from, to := m.Span(address)
		if i != want || address < from || address >= to {
			t.Fatalf("0x%x: %d in [0x%x, 0x%x), not %d", address, i, from, to, want)
		}
		for _, edge := range []uint64{from, to - 1} {
			if j, _, _ := m.Span(edge); edge < 0x400 && j != i {
				t.Errorf("0x%x: its span says 0x%x is %d too, which is %d", address, edge, i, j)
			}
		}
	}
}
