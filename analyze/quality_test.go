package analyze

import (
	"testing"

	"proflens/decode/instrprof"
)

func TestQuality(t *testing.T) {
	type record struct {
		ref, hash uint64
		counters  []uint64
	}
	const cs = instrprof.CSFlagInFuncHash
	for _, tt := range []struct {
		name    string
		records []record
		names   int
		want    map[string]uint64 // count by code
	}{
		{"nothing", nil, 0, map[string]uint64{CodeNoCounters: 0}},
		{"fine", []record{{1, 1, []uint64{1}}, {2, 1, []uint64{0, 5}}}, 2, nil},
		{"never ran", []record{{1, 1, []uint64{1}}, {2, 1, []uint64{0, 0}}}, 2, map[string]uint64{CodeNeverRan: 1}},
		{"nothing ran", []record{{1, 1, []uint64{0}}, {2, 1, nil}}, 2, map[string]uint64{CodeNothingRan: 2}},
		{
			"several hashes", []record{{1, 1, []uint64{1}}, {2, 1, []uint64{5}}, {1, 2, []uint64{1}}, {1, 3, []uint64{1}}}, 2,
			map[string]uint64{CodeSeveralHashes: 1},
		},
		{"plain and context-sensitive", []record{{1, 1, []uint64{1}}, {1, 1 | cs, []uint64{5}}}, 1, nil},
		{
			"saturated", []record{{1, 1, []uint64{1, instrprof.MaxCount, 1<<64 - 1}}, {2, 2, []uint64{instrprof.MaxCount}}}, 2,
			map[string]uint64{CodeSaturated: 3},
		},
		{"pseudo", []record{{1, 1, []uint64{instrprof.PseudoHot}}}, 1, map[string]uint64{CodePseudoCounts: 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			info := &instrprof.Info{Variant: instrprof.IRProf}
			q, sum := NewQuality(info), NewQuality(info)
			for _, r := range tt.records {
				f := &instrprof.Function{NameRef: r.ref, FuncHash: r.hash, Counters: r.counters}
				s := StatsOf(f, instrprof.IRProf)
				q.Add(f, &s)
				part := NewQuality(&instrprof.Info{Variant: instrprof.IRProf})
				part.Add(f, &s)
				sum.AddAll(part)
			}
			if whole := q.Figures(); sum.Figures() != whole || len(sum.Findings()) != len(q.Findings()) ||
				sum.Names() != q.Names() {
				t.Errorf("records apart and added up have %+v, want %+v", sum.Figures(), whole)
			}
			found := q.Findings()
			for _, f := range found {
				if f.Count != tt.want[f.Code] || f.Message == "" || f.Severity == "" {
					t.Errorf("finding %+v", f)
				}
			}
			if len(found) != len(tt.want) {
				t.Errorf("%d findings, want %v", len(found), tt.want)
			}
			if got := q.Names(); got != tt.names {
				t.Errorf("%d names, want %d", got, tt.names)
			}
		})
	}
}

func BenchmarkQuality(b *testing.B) {
	const records = 1_000_000
	f := &instrprof.Function{Counters: []uint64{1, 2, 3}}
	s := StatsOf(f, instrprof.IRProf)
	b.ReportAllocs()
	for b.Loop() {
		q := NewQuality(&instrprof.Info{Variant: instrprof.IRProf})
		for i := range uint64(records) {
			f.NameRef = i * 0x9e3779b97f4a7c15
			q.Add(f, &s)
		}
		q.Findings()
		if q.Names() != records {
			b.Fatal("names are missing")
		}
	}
}
