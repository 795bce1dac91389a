package analyze

import (
	"math"
	"slices"
	"testing"

	"proflens/decode/instrprof"
)

func TestHistogram(t *testing.T) {
	var h Histogram
	h.Add([]uint64{0, 0, 1, 2, 3, 4, 1 << 20, 1<<21 - 1, math.MaxUint64})
	want := Histogram{0: 2, 1: 1, 2: 2, 3: 1, 21: 2, 64: 1}
	if h != want {
		t.Errorf("histogram %v, want %v", h, want)
	}
}

func TestShape(t *testing.T) {
	long := make([]uint64, 100)
	for i := range long {
		long[i] = uint64(i)
	}
	for _, tt := range []struct {
		counters []uint64
		want     []uint64
	}{
		{nil, nil},
		{[]uint64{5}, []uint64{5}},
		{long[:24], long[:24]},
		{long[:25], append(slices.Clone(long[:23]), 24)},
		{long[:48], []uint64{1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39, 41, 43, 45, 47}},
	} {
		got := Shape(tt.counters, []uint64{99, 99})
		if !slices.Equal(got, tt.want) {
			t.Errorf("Shape(%v) = %v, want %v", tt.counters, got, tt.want)
		}
	}
}

func curve(totals []uint64) Curve {
	var t RecordTotals
	for _, v := range totals {
		t.Add(Sum{Lo: v})
	}
	return t.Curve()
}

func TestCurve(t *testing.T) {
	for _, tt := range []struct {
		totals       []uint64
		points       []CurvePoint
		hot90, hot99 int
	}{
		{nil, nil, 0, 0},
		{[]uint64{7}, []CurvePoint{{1, 1}}, 1, 1},
		{[]uint64{0, 0}, []CurvePoint{{1, 0}, {2, 0}}, 0, 0},
		{[]uint64{9, 90, 1}, []CurvePoint{{1, 0.9}, {2, 0.99}, {3, 1}}, 1, 2}, // exactly 90 % and 99 %
		{[]uint64{89, 9, 1, 1}, []CurvePoint{{1, 0.89}, {2, 0.98}, {3, 0.99}, {4, 1}}, 2, 3},
	} {
		c := curve(tt.totals)
		if !slices.Equal(c.Points, tt.points) || c.Hot90 != tt.hot90 || c.Hot99 != tt.hot99 {
			t.Errorf("curve of %v is %+v", tt.totals, c)
		}
	}
}

func TestCurveOfMany(t *testing.T) {
	const n = 1_000_000
	var totals RecordTotals
	for i := range n {
		totals.Add(Sum{Hi: uint64(i) / 2, Lo: 1})
	}
	c := totals.Curve()
	first, last := c.Points[0], c.Points[len(c.Points)-1]
	if first.N != 1 || last.N != n || last.Share != 1 || len(c.Points) < 150 || len(c.Points) > curvePoints {
		t.Errorf("%d points from %+v to %+v", len(c.Points), first, last)
	}
	for i, p := range c.Points[1:] {
		if before := c.Points[i]; p.N <= before.N || p.Share < before.Share {
			t.Errorf("%+v follows %+v", p, before)
		}
	}
	// Totals fall evenly to 0: the first n-k hold 1-(k/n)².
	if c.Hot90 < 683_000 || c.Hot90 > 684_500 || c.Hot99 < 899_000 || c.Hot99 > 901_000 {
		t.Errorf("90 %% at %d, 99 %% at %d", c.Hot90, c.Hot99)
	}
}

func TestClassify(t *testing.T) {
	usual := Thresholds{Hot: 100, Cold: 10}
	for _, tt := range []struct {
		t    Thresholds
		s    Stats
		want Class
	}{
		{usual, Stats{Max: 100}, Hot},
		{usual, Stats{Max: 99}, Warm},
		{usual, Stats{Max: 11}, Warm},
		{usual, Stats{Max: 10}, Cold},
		{usual, Stats{Max: 0}, Never},
		{usual, Stats{Pseudo: true}, NoClass},
		{Thresholds{}, Stats{Max: 5}, NoClass},
		{Thresholds{}, Stats{Max: 0}, Never},
		{Thresholds{Hot: 1, Cold: 1}, Stats{Max: 1}, Hot}, // hot wins where both hold
	} {
		if got := tt.t.Classify(&tt.s); got != tt.want {
			t.Errorf("%+v classifies %+v as %q, want %q", tt.t, tt.s, got, tt.want)
		}
	}
}

func TestStats(t *testing.T) {
	f := &instrprof.Function{
		FuncHash: instrprof.CSFlagInFuncHash | 5,
		Counters: []uint64{3, 0, math.MaxUint64, math.MaxUint64, 0},
		Sites:    [3][]instrprof.ValueSite{{nil, {{Value: 1, Count: 2}}}, nil, {nil}},
	}
	want := Stats{
		Total: Sum{Hi: 2, Lo: 1}, Max: math.MaxUint64, MaxIndex: 2, Entry: 3, NumCounters: 5, NumZero: 2,
		NumSites: [3]uint32{2, 0, 1}, CS: true,
	}
	if got := StatsOf(f, instrprof.IRProf); got != want {
		t.Errorf("StatsOf = %+v, want %+v", got, want)
	}
	if StatsOf(f, 0).CS {
		t.Error("a front-end record is context-sensitive")
	}
	pseudo := StatsOf(&instrprof.Function{Counters: []uint64{instrprof.PseudoWarm, 1}}, 0)
	if pseudo != (Stats{NumCounters: 2, Pseudo: true}) {
		t.Errorf("a pseudo count has %+v", pseudo)
	}
}

func TestHasEntry(t *testing.T) {
	for v, want := range map[instrprof.Variant]bool{
		0: true, instrprof.IRProf: false, instrprof.IRProf | instrprof.InstrEntry: true,
		instrprof.IRProf | instrprof.FunctionEntryOnly: true, instrprof.ByteCoverage: true,
	} {
		if HasEntry(v) != want {
			t.Errorf("HasEntry(%v) = %v", v, !want)
		}
	}
}

func TestSum(t *testing.T) {
	var s Sum
	for range 3 {
		s.Add(math.MaxUint64)
	}
	if got := s.String(); got != "55340232221128654845" {
		t.Errorf("three times the largest counter is %s", got)
	}
	if json, err := s.MarshalJSON(); err != nil || string(json) != s.String() {
		t.Errorf("as JSON %s, %v", json, err)
	}
	if s.Compare(Sum{Hi: 2}) != 1 || (Sum{Hi: 2}).Compare(s) != -1 || s.Compare(s) != 0 ||
		(Sum{Lo: 1}).Compare(Sum{Lo: 2}) != -1 {
		t.Error("sums are out of order")
	}
	if !(Sum{}).IsZero() || s.IsZero() || s.Float64() != 3*0x1p64 {
		t.Errorf("%v as double is %v", s, s.Float64())
	}
}

func BenchmarkHistogram(b *testing.B) {
	counters := make([]uint64, 1000)
	for i := range counters {
		counters[i] = uint64(i) << (i % 40)
	}
	b.SetBytes(int64(8 * len(counters)))
	b.ReportAllocs()
	for b.Loop() {
		var h Histogram
		h.Add(counters)
	}
}
