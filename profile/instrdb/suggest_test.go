package instrdb_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/names"
	"proflens/profile/instrdb"
	"proflens/profile/profiletest"
	"proflens/profile/query"
)

// The hottest functions with all words in their names are suggested, each name once and none
// without one.
func TestSuggest(t *testing.T) {
	for name, src := range map[string]*synthetic{"typical": typical(1500, 6), "awkward": awkward(600, 6)} {
		p, naive := openSource(t, src), newNaive(src)
		for text, limit := range map[string]int{"value": 5, "main": 3, "Pass llvm": 2000, "": 9, "no such name": 4} {
			match, err := names.NewMatcher(text, "")
			if err != nil {
				t.Fatal(err)
			}
			var want, got []string
			seen := map[uint64]bool{}
			for _, r := range naive.rows {
				if r.PGO != "" && match.Match([]byte(r.PGO)) && !seen[r.Ref] && len(want) < limit {
					seen[r.Ref] = true
					want = append(want, r.PGO)
				}
			}
			rows, scanned, err := p.Suggest(t.Context(), text, limit, time.Hour)
			for _, r := range rows {
				got = append(got, r.PGO)
			}
			if err != nil || !slices.Equal(got, want) || scanned > len(naive.rows) ||
				len(want) < limit && scanned != len(naive.rows) {
				t.Errorf("%s, %q: %q, want %q; %d scanned, %v", name, text, got, want, scanned, err)
			}
		}
	}
}

// Classes are counted by themselves, and those that never ran besides.
func TestClassesAreCounted(t *testing.T) {
	for name, src := range map[string]*synthetic{"typical": typical(1500, 8), "awkward": awkward(600, 8)} {
		o, want := openSource(t, src).Overview, map[analyze.Class]int{}
		for _, r := range newNaive(src).rows {
			want[r.Class]++
		}
		for class, n := range want {
			if o.Classes[class] != n {
				t.Errorf("%s: %d are %s, want %d", name, o.Classes[class], class, n)
			}
		}
		if o.NeverRan != want[analyze.Never] || o.NeverRan == 0 {
			t.Errorf("%s: %d never ran, want %d", name, o.NeverRan, want[analyze.Never])
		}
	}
}

// Targets of calls are named where the profile knows them, and sizes of memory are no
// targets.
func TestTargetsAreNamed(t *testing.T) {
	p, known, named := openSource(t, typical(3000, 4)), map[uint64]string{}, 0
	for _, r := range newNaive(typical(3000, 4)).rows {
		known[r.Ref] = r.PGO
	}
	for _, kind := range []instrprof.ValueKind{instrprof.IndirectCallTarget, instrprof.MemOPSize} {
		page := valuesOf(t, p, kind, 0, query.RowQuery{Limit: 500})
		for _, row := range page.Rows.([]instrdb.ValueRow) {
			for _, v := range row.Values {
				target, ok := row.Targets[v.Value]
				if want, has := known[v.Value]; kind == instrprof.MemOPSize && ok ||
					kind != instrprof.MemOPSize && (ok != has || string(target.Name) != want) {
					t.Errorf("%v: %x is %q, want %q", kind, v.Value, target.Name, want)
				} else if ok {
					named++
				}
			}
		}
	}
	if named == 0 {
		t.Error("no target is named")
	}
}

// Lines have the functions that are declared there, with how often they were entered.
func TestLines(t *testing.T) {
	src := typical(4, 9)
	at := map[string]model.Declaration{}
	for i := range src.functions {
		f := &src.functions[i]
		f.Counters, f.Name = []uint64{uint64(i) + 1, 100}, fmt.Append(nil, "fn", i)
		f.NameRef = refOf(f.Name)
		at[string(f.Name)] = model.Declaration{File: "/b/a.cpp", Line: []uint32{7, 7, 9, 0}[i]}
	}
	src.info.Variant |= instrprof.InstrEntry
	whole := partOf(src)
	whole.Declared = func(_ context.Context, wanted func([]byte) bool,
		visit func(model.Declaration)) ([]model.Finding, error) {
		for name, d := range at {
			if d.Name = []byte(name); d.Line > 0 && wanted(d.Name) {
				visit(d)
			}
		}
		return nil, nil
	}
	table, err := of(t, profiletest.Store(t, whole)).Lines(t.Context())
	if err != nil || len(table.Files) != 1 {
		t.Fatal(table, err)
	}
	f := &table.Files[0]
	if f.Name != "/b/a.cpp" || !slices.Equal(f.Sums, []uint64{3, 6}) || !slices.Equal(f.Lines, []uint32{7, 9}) ||
		!slices.Equal(f.At(0), []uint64{2, 3}) || !slices.Equal(f.At(1), []uint64{1, 3}) {
		t.Errorf("%+v, %v, %v", f, f.At(0), f.At(1))
	}
}
