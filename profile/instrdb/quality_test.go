package instrdb_test

import (
	"slices"
	"testing"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/profile/instrdb"
	"proflens/profile/query"
)

var allQualities = []instrdb.Quality{
	instrdb.QualitySaturated, instrdb.QualityAllOnes, instrdb.QualityEntryZero, instrdb.QualityHashes,
	instrdb.QualityNoName,
}

// isOdd tells a record's oddities from its counters.
func (n *naive) isOdd(r *instrdb.Record, any []instrdb.Quality) bool {
	isOne := func(c uint64) bool { return c == 1 }
	not := func(f func(uint64) bool) func(uint64) bool { return func(c uint64) bool { return !f(c) } }
	for _, q := range any {
		var odd bool
		switch q {
		case instrdb.QualityNoName:
			odd = r.PGO == ""
		case instrdb.QualityHashes:
			same := 0
			for _, other := range n.rows {
				if other.Ref == r.Ref && other.CS == r.CS {
					same++
				}
			}
			odd = same > 1
		case instrdb.QualitySaturated:
			odd = !r.Pseudo && slices.ContainsFunc(r.Counters, func(c uint64) bool { return c >= instrprof.MaxCount })
		case instrdb.QualityAllOnes:
			odd = len(r.Counters) > 1 && !slices.ContainsFunc(r.Counters, not(isOne)) && !n.variant.Has(instrprof.ByteCoverage)
		case instrdb.QualityEntryZero:
			odd = !r.Pseudo && len(r.Counters) > 0 && r.Counters[0] == 0 && r.Max > 0 && analyze.HasEntry(n.variant)
		}
		if odd {
			return true
		}
	}
	return false
}

// The figures of the overview are how many rows each filter selects.
func TestQualityFigures(t *testing.T) {
	for name, src := range map[string]*synthetic{
		"typical": typical(1500, 7), "awkward": awkward(1500, 8), "front end": frontEnd(), "none": awkward(0, 9),
	} {
		t.Run(name, func(t *testing.T) {
			p := openSource(t, src)
			o := p.Overview
			f := o.Quality
			for q, want := range map[instrdb.Quality]uint64{
				instrdb.QualitySaturated: f.Saturated, instrdb.QualityAllOnes: f.AllOnes, instrdb.QualityEntryZero: f.EntryZero,
				instrdb.QualityHashes: f.HashRecords, instrdb.QualityNoName: f.NoName,
			} {
				page, err := p.Functions(t.Context(), instrdb.Query{Quality: []instrdb.Quality{q}})
				if err != nil {
					t.Fatal(err)
				}
				if uint64(page.Matching) != want {
					t.Errorf("%s: %d rows, the figure is %d", q, page.Matching, want)
				}
			}
			for kind := range instrprof.ValueKind(instrprof.NumValueKinds) {
				for mark, want := range map[analyze.SiteMark]uint64{
					analyze.SiteFull: f.FullSites[kind], analyze.SiteShort: f.ShortSites[kind],
				} {
					page := valuesOf(t, p, kind, mark, query.RowQuery{Limit: 10})
					if uint64(page.Matching) != want || page.Matching < page.Len() || page.All < page.Matching {
						t.Errorf("%d rows of %d of %d sites; the figure is %d", page.Len(), page.Matching, page.All, want)
					}
				}
			}
		})
	}
	p := openSource(t, frontEnd())
	if o := p.Overview; o.Quality != (analyze.QualityFigures{
		SaturatedCounters: 2, Saturated: 1, AllOnes: 1, EntryZero: 1, SeveralHashes: 1, HashRecords: 2, NoName: 1,
		FullSites: [3]uint64{1, 0, 0}, ShortSites: [3]uint64{0, 2, 0},
	}) {
		t.Errorf("%+v", o.Quality)
	}
	if _, err := p.Functions(t.Context(), instrdb.Query{Quality: []instrdb.Quality{"odd"}}); err == nil ||
		err.Error() != `no quality "odd"` {
		t.Errorf("an unknown oddity: %v", err)
	}
}

// frontEnd is a profile with one of each oddity.
func frontEnd() *synthetic {
	src := &synthetic{info: instrprof.Info{Info: model.Info{Format: instrprof.FormatRaw, Version: 10}}}
	add := func(name string, hash uint64, counters ...uint64) *instrprof.Function {
		src.functions = append(src.functions, instrprof.Function{
			Name: []byte(name), NameRef: refOf([]byte(name)), FuncHash: hash, Counters: counters,
		})
		return &src.functions[len(src.functions)-1]
	}
	add("a", 1, 1, 1, 1)
	add("a", 2, 5, 1)
	add("b", 1, 0, 7)
	add("c", 1, instrprof.MaxCount, instrprof.MaxCount)
	d := add("d", 1, 100)
	d.Sites[instrprof.MemOPSize] = []instrprof.ValueSite{{{Value: 8, Count: 99}}, nil, {{Value: 8, Count: 100}}}
	full := make(instrprof.ValueSite, 24)
	for i := range full {
		full[i] = instrprof.Value{Value: uint64(i + 1), Count: 5}
	}
	d.Sites[instrprof.IndirectCallTarget] = []instrprof.ValueSite{full}
	add("", 1, 3).NameRef = 77
	return src
}
