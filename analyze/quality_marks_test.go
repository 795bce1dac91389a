package analyze

import (
	"testing"

	"proflens/decode/instrprof"
	"proflens/decode/model"
)

func TestMarks(t *testing.T) {
	for _, tt := range []struct {
		name     string
		variant  instrprof.Variant
		fn       string
		counters []uint64
		want     Mark
	}{
		{"fine", instrprof.IRProf, "f", []uint64{3, 1}, 0},
		{"no name", instrprof.IRProf, "", []uint64{3, 1}, NoName},
		{"never ran", 0, "f", []uint64{0, 0}, 0},
		{"ones", 0, "f", []uint64{1, 1}, AllOnes},
		{"a single one", 0, "f", []uint64{1}, 0},
		{"ones of byte coverage", instrprof.ByteCoverage, "f", []uint64{1, 1}, 0},
		{"entry zero", 0, "f", []uint64{0, 7}, EntryZero},
		{"first counter is no entry", instrprof.IRProf, "f", []uint64{0, 7}, 0},
		{"entry zero in IR", instrprof.IRProf | instrprof.InstrEntry, "f", []uint64{0, 7}, EntryZero},
		{"saturated", 0, "", []uint64{1, instrprof.MaxCount}, Saturated | NoName},
		{"pseudo", instrprof.IRProf, "f", []uint64{instrprof.PseudoHot}, Pseudo},
		{"no counters", 0, "f", nil, 0},
	} {
		f := &instrprof.Function{Name: []byte(tt.fn), Counters: tt.counters}
		s := StatsOf(f, tt.variant)
		if got := MarksOf(&s, tt.variant, len(f.Name) > 0); got != tt.want {
			t.Errorf("%s: marks %b, want %b", tt.name, got, tt.want)
		}
	}
}

func TestSiteMarks(t *testing.T) {
	now, before := SiteLimit(&instrprof.Info{Info: model.Info{Format: instrprof.FormatRaw, Version: 10}}),
		SiteLimit(&instrprof.Info{Info: model.Info{Format: instrprof.FormatIndexed, Version: 5}})
	if now != 24 || before != 16 {
		t.Errorf("limits %d and %d", now, before)
	}
	for format, last := range map[model.Format]uint64{instrprof.FormatRaw: 5, instrprof.FormatIndexed: 6} {
		for version, want := range map[uint64]int{last: 16, last + 1: 24} {
			if got := SiteLimit(&instrprof.Info{Info: model.Info{Format: format, Version: version}}); got != want {
				t.Errorf("version %d of %s keeps %d values, want %d", version, format, got, want)
			}
		}
	}
	if got := SiteLimit(&instrprof.Info{Info: model.Info{Format: instrprof.FormatText, Version: 1}}); got != 24 {
		t.Errorf("text keeps %d values", got)
	}
	for _, tt := range []struct {
		values   int
		sum      uint64
		counters uint32
		total    Sum
		want     SiteMark
	}{
		{0, 0, 3, Sum{Lo: 9}, 0},
		{23, 9, 3, Sum{Lo: 9}, 0},
		{24, 9, 3, Sum{Lo: 90}, SiteFull},
		{1, 9, 1, Sum{Lo: 9}, 0},
		{1, 8, 1, Sum{Lo: 9}, SiteShort},
		{0, 0, 1, Sum{Lo: 9}, SiteShort},
		{0, 0, 1, Sum{}, 0},
		{30, 12, 1, Sum{Lo: 9}, SiteFull},
		{24, 1, 1, Sum{Hi: 1}, SiteFull | SiteShort},
	} {
		if got := SiteMarksOf(tt.values, now, Sum{Lo: tt.sum}, tt.counters, tt.total); got != tt.want {
			t.Errorf("%+v: marks %b", tt, got)
		}
	}
}

func TestQualityFigures(t *testing.T) {
	const cs = instrprof.CSFlagInFuncHash
	q := NewQuality(&instrprof.Info{
		Info: model.Info{Format: instrprof.FormatRaw, Version: 10}, Variant: instrprof.IRProf | instrprof.InstrEntry,
	})
	add := func(name string, ref, hash uint64, counters []uint64, sites ...instrprof.ValueSite) {
		f := &instrprof.Function{Name: []byte(name), NameRef: ref, FuncHash: hash, Counters: counters}
		f.Sites[instrprof.MemOPSize] = sites
		s := StatsOf(f, q.variant)
		q.Add(f, &s)
	}
	add("a", 1, 1, []uint64{1, 1})
	add("a", 1, 2, []uint64{0, 5})
	add("a", 1, 3|cs, []uint64{2})
	add("b", 2, 1, []uint64{instrprof.MaxCount, instrprof.MaxCount})
	add("", 3, 1|cs, []uint64{9}, instrprof.ValueSite{{Value: 8, Count: 8}}, instrprof.ValueSite{{Value: 8, Count: 9}})
	add("", 3, 2|cs, []uint64{7, 8}, make(instrprof.ValueSite, 25))
	want := QualityFigures{
		SaturatedCounters: 2, Saturated: 1, AllOnes: 1, EntryZero: 1, NoName: 2, SeveralHashes: 2, HashRecords: 4,
	}
	want.FullSites[instrprof.MemOPSize], want.ShortSites[instrprof.MemOPSize] = 1, 1
	for range 2 {
		if got := q.Figures(); got != want {
			t.Errorf("figures %+v, want %+v", got, want)
		}
	}
}
