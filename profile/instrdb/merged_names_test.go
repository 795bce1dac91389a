package instrdb_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"proflens/profile/instrdb"

	gocmp "github.com/google/go-cmp/cmp"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/names"
	"proflens/profile/query"
)

// merge is what a query that merges answers, the slow way.
func (n *naive) merge(q instrdb.Query, classify func(*analyze.Stats) analyze.Class) instrdb.Page {
	whole := q
	whole.Merge, whole.Offset, whole.Limit, whole.Sort = false, 0, len(n.rows), nil
	page := n.query(whole)
	type key struct {
		name string
		cs   bool
	}
	places := map[key]int{}
	var rows []instrdb.Row
	for _, r := range page.Rows {
		_, linkage := names.Split([]byte(r.PGO))
		k := key{names.Demangle(linkage, q.Mode), r.CS}
		if r.PGO == "" {
			k.name = "\x00" + string(rune(r.Rank)) // missing names are all different here
		}
		at, ok := places[k]
		if !ok {
			places[k] = len(rows)
			rows = append(rows, r)
			continue
		}
		m := &rows[at]
		m.Records++
		m.Total.AddSum(r.Total)
		m.Max = max(m.Max, r.Max)
		if m.Entry+r.Entry < r.Entry {
			m.Entry = 1<<64 - 1
		} else {
			m.Entry += r.Entry
		}
		m.NumCounters += r.NumCounters
		m.NumZero += r.NumZero
		m.SiteCount += r.SiteCount
		m.FuncHash, m.MaxIndex, m.Ordinal, m.Shape, m.NumSites = 0, 0, 0, nil, [3]uint32{}
	}
	for i := range rows {
		rows[i].Class = classify(&rows[i].Stats)
		rows[i].Share = naiveShare(rows[i].Total, n.total)
	}
	slices.SortStableFunc(rows, func(a, b instrdb.Row) int {
		for _, k := range q.Sort {
			d := a.Total.Compare(b.Total)
			switch k.Column {
			case instrdb.ColMax:
				d = cmp.Compare(a.Max, b.Max)
			case instrdb.ColZero:
				d = cmp.Compare(a.NumZero, b.NumZero)
			case instrdb.ColName:
				d = strings.Compare(a.PGO, b.PGO)
			}
			if k.Desc {
				d = -d
			}
			if d != 0 {
				return d
			}
		}
		return cmp.Or(b.Total.Compare(a.Total), cmp.Compare(a.Rank, b.Rank))
	})
	var sum analyze.Sum
	for i := range rows {
		sum.AddSum(rows[i].Total)
		rows[i].Cum = naiveShare(sum, n.total)
	}
	page.Matching = len(rows)
	page.Rows = rows[min(q.Offset, len(rows)):min(q.Offset+q.Limit, len(rows))]
	return page
}

func TestMergedAgreesWithNaive(t *testing.T) {
	no := false
	for name, src := range map[string]*synthetic{
		"typical": typical(600, 21), "awkward": named(awkward(120, 22)), "none": awkward(0, 23),
	} {
		t.Run(name, func(t *testing.T) {
			p, slow := openSource(t, src), newNaive(src)
			for _, mode := range []names.Mode{names.NoTemplates, names.Mangled} {
				for _, q := range []instrdb.Query{
					{Limit: 50},
					{Offset: 50, Limit: 2000}, {Offset: 300, Limit: 20},
					{Sort: []query.Key{{Column: instrdb.ColMax, Desc: true}}, Limit: 30, Offset: 3},
					{Sort: []query.Key{{Column: instrdb.ColTotal}}, Limit: 30},
					{Sort: []query.Key{{Column: instrdb.ColZero, Desc: true}, {Column: instrdb.ColName}}, Limit: 300},
					{Names: query.Names{Text: "a"}, Limit: 100},
					{Executed: &no, Limit: 100},
				} {
					q.Merge, q.Mode = true, mode
					want := slow.merge(q, p.Overview.Classify)
					for range 2 { // new, and from the cache
						got, err := p.Functions(t.Context(), q)
						if err != nil {
							t.Fatalf("%+v: %v", q, err)
						}
						if diff := gocmp.Diff(want, *got, sameRows...); diff != "" {
							t.Fatalf("%+v (-want +got):\n%.3000s", q, diff)
						}
					}
				}
			}
		})
	}
}

// named leaves out the records without a name.
func named(src *synthetic) *synthetic {
	kept := src.functions[:0]
	for _, f := range src.functions {
		if len(f.Name) > 0 {
			kept = append(kept, f)
		}
	}
	src.functions = kept
	return src
}

// What a merged row stands for can be asked for by its name.
func TestNamedFindsWhatWasMerged(t *testing.T) {
	src := &synthetic{}
	for i, name := range []string{
		"_ZN3setIiE3putEi", "_ZN3setIdE3putEd", "a.cc;_ZN3setIcE3putEc.llvm.17", // set::put without template arguments
		"parse", "a.c;parse.__uniq.204881", "b.c;parse.llvm.99", "parse.cold", "parse.part.0", "parse.part.1",
		"_ZN4core3fmt5write17h0092bde4374d4531E", "_ZN4core3fmt5write17h1192bde4374d4531E.llvm.99", "_RNvC5graph4main",
		"_RNvC5graph4main.llvm.3",
	} {
		src.functions = append(src.functions, instrprof.Function{
			Name: []byte(name), NameRef: refOf([]byte(name)), FuncHash: uint64(i), Counters: []uint64{uint64(i + 1), 0},
		})
	}
	p := openSource(t, src)
	for _, test := range []struct {
		mode names.Mode
		want map[string]int
	}{
		{
			names.NoTemplates, map[string]int{"set::put": 3, "parse": 3, "parse.cold": 1, "parse.part": 2,
				"core::fmt::write": 2, "graph::main": 2},
		},
		{
			names.Short, map[string]int{"set<int>::put": 1, "set<double>::put": 1, "set<char>::put": 1, "parse": 3,
				"parse.cold": 1, "parse.part": 2, "core::fmt::write": 2, "graph::main": 2},
		},
		{names.Mangled, map[string]int{}},
	} {
		page, err := p.Functions(t.Context(), instrdb.Query{Merge: true, Mode: test.mode, Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		if page.Records != len(src.functions) || test.mode == names.Mangled && page.Matching != len(src.functions) {
			t.Errorf("%s: %d records in %d rows", test.mode, page.Records, page.Matching)
		}
		got := map[string]int{}
		for _, r := range page.Rows {
			_, linkage := names.Split([]byte(r.PGO))
			shown := names.Demangle(linkage, test.mode)
			got[shown] += r.Records
			found, err := p.Functions(t.Context(), instrdb.Query{Named: shown, Mode: test.mode, Limit: 10})
			if err != nil {
				t.Fatal(err)
			}
			if found.Matching != r.Records || found.MatchingTotal != r.Total {
				t.Errorf("%s: %d records of %v, merged %d of %v", shown, found.Matching, found.MatchingTotal, r.Records, r.Total)
			}
		}
		if diff := gocmp.Diff(test.want, got); diff != "" && test.mode != names.Mangled {
			t.Errorf("%s (-want +got):\n%s", test.mode, diff)
		}
	}
	none, err := p.Functions(t.Context(), instrdb.Query{Named: "no such name", Mode: names.Short, Limit: 10})
	if err != nil || none.Matching != 0 {
		t.Errorf("a name that is not there: %d, %v", none.Matching, err)
	}
}

// Merging a large table does not keep anyone waiting: it says how far it got, and
// goes on when it is asked again.
func TestMergingGoesOn(t *testing.T) {
	p := openSource(t, typical(3*instrdb.DemangleBatch, 25))
	p.Budget = 0 // every ask looks at one batch
	q := instrdb.Query{Merge: true, Mode: names.Short, Limit: 5}
	for step := 1; ; step++ {
		page, err := p.Functions(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if want := min(step*instrdb.DemangleBatch, p.Overview.Functions); page.Scanned != want || page.Records != want ||
			page.Complete != (want == p.Overview.Functions) {
			t.Fatalf("ask %d: %d records of %d looked at, complete %v", step, page.Records, page.Scanned, page.Complete)
		}
		if page.Complete {
			break
		}
	}
}
