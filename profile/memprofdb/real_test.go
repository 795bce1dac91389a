package memprofdb_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"proflens/analyze"
	"proflens/decode/format"
	"proflens/decode/memprof"
	"proflens/profile"
	"proflens/profile/memprofdb"
	"proflens/profile/profiletest"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// realHeap stores a profile of testdata and opens it.
func realHeap(t *testing.T, name string) (*memprofdb.Profile, *memprof.Profile) {
	t.Helper()
	p, decoded := profiletest.Open(t, filepath.Join("testdata", name))
	heap, _ := format.PartOf[*memprof.Profile](decoded)
	return of(t, p), heap
}

// TestRFCOwners holds the case of the RFC: A and C call B, which allocates. Both
// contexts are B's, whether B was inlined into A or not.
func TestRFCOwners(t *testing.T) {
	for _, inlined := range []string{"true", "false"} {
		heap, err := memprof.OpenYAML([]byte(`---
HeapProfileRecords:
  - GUID: B
    AllocSites:
      - Callstack:
          - { Function: B, LineOffset: 3, Column: 1, IsInlineFrame: ` + inlined + ` }
          - { Function: A, LineOffset: 1, Column: 1, IsInlineFrame: false }
        MemInfoBlock: { AllocCount: 2, TotalSize: 1000, TotalLifetime: 400000, TotalLifetimeAccessDensity: 9 }
      - Callstack:
          - { Function: B, LineOffset: 3, Column: 1, IsInlineFrame: false }
          - { Function: C, LineOffset: 2, Column: 1, IsInlineFrame: false }
        MemInfoBlock: { AllocCount: 2, TotalSize: 4000, TotalLifetime: 399999, TotalLifetimeAccessDensity: 300000 }
...
`))
		if err != nil {
			t.Fatal(err)
		}
		p := openHeap(t, heap)
		sites, err := p.Sites(t.Context(), memprofdb.SiteQuery{Limit: 10})
		if err != nil || len(sites.Rows) != 1 {
			t.Fatalf("%+v, %v", sites, err)
		}
		s := sites.Rows[0]
		if s.Function.Name != "B" || s.Contexts != 2 || s.Sites != 1 || s.Mixed != 1 || s.Classes[0].Contexts != 1 ||
			s.Classes[2].Contexts != 1 {
			t.Errorf("the owner is %+v of %+v", s.Function, s)
		}
		page, err := p.Contexts(t.Context(), memprofdb.Query{
			Filter: memprofdb.Filter{Classes: []analyze.MemProfClass{analyze.MemProfCold}}, Limit: 10,
		})
		if err != nil || page.Matching != 1 || !page.Rows[0].Mixed || page.Totals.Bytes.Lo != 1000 {
			t.Fatalf("cold are %+v, %v", page, err)
		}
		whole, err := p.Context(t.Context(), page.Rows[0].Context, analyze.MemProfThresholds{})
		if err != nil {
			t.Fatal(err)
		}
		var under []string
		for _, f := range whole.Recorded {
			under = append(under, f.Name)
		}
		want := []string{"B"}
		if inlined == "true" {
			want = []string{"B", "A"}
		}
		if !slices.Equal(under, want) || len(whole.Siblings) != 1 {
			t.Errorf("recorded under %v, expected %v; %d others", under, want, len(whole.Siblings))
		}
		tree, err := p.Tree(t.Context(), memprofdb.Filter{})
		if err != nil || tree.Root().Sum.Contexts != 2 {
			t.Errorf("the tree has %+v, %v", tree, err)
		}
	}
}

// TestSummaryAsStored holds figures against the summary that llvm-profdata wrote.
func TestSummaryAsStored(t *testing.T) {
	p, heap := realHeap(t, "mem_cold_v4.profdata")
	o, s := p.Overview, heap.Summary
	if s == nil || s.NumColdContexts == 0 || *o.Summary != *s || o.Contexts != s.NumContexts ||
		o.Classes[0].Contexts != s.NumColdContexts {
		t.Errorf("the file says %+v, the tables %+v", s, o)
	}
}

// TestCombinedProfile holds that functions of a heap profile have the names of
// the records beside it.
func TestCombinedProfile(t *testing.T) {
	p, _ := realHeap(t, "mem_instr_v3.profdata")
	main, err := p.Function(t.Context(), memprofdb.FIDOf([]byte("main")), 10)
	if err != nil {
		t.Fatal(err)
	}
	if main.Name != "main" || main.All.Contexts == 0 {
		t.Errorf("main is %+v", main)
	}
	if _, err := p.Function(t.Context(), 12345, 10); !errors.Is(err, stored.ErrNoPart) {
		t.Error("an unknown function gives", err)
	}
	find, err := p.FindCallSites(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	sites := func(q query.RowQuery) (table.Page, []*memprofdb.CallSite) {
		page, err := find(t.Context(), table.Query{RowQuery: q})
		if err != nil {
			t.Fatal(err)
		}
		return page, table.RowsOf[memprofdb.CallSite](&page)
	}
	page, rows := sites(query.RowQuery{Limit: 1000})
	if len(rows) == 0 || len(rows[0].Stack.Frames()) == 0 || page.Matching != len(rows) {
		t.Fatalf("%+v", page)
	}
	if one, row := sites(query.RowQuery{Offset: 1, Limit: 1}); one.All != page.All || len(row) != 1 ||
		row[0].Index != 1 || one.Len() != 1 {
		t.Errorf("the second row is %+v", one)
	}
	for _, desc := range []bool{false, true} {
		q := query.RowQuery{
			Text: "main", Limit: 1000, Sort: []query.Key{{Column: memprofdb.ColDepth, Desc: desc}},
			Ranges: []query.Range{{Column: memprofdb.ColDepth, Min: 1, Max: 9}},
		}
		some, rows := sites(q)
		if some.All != page.All || some.Matching == 0 || some.Matching != len(rows) {
			t.Fatalf("%+v", some)
		}
		for i, row := range rows {
			if row.Depth != len(row.Stack.Frames()) || row.Depth == 0 || i > 0 && row.Depth != rows[i-1].Depth &&
				row.Depth > rows[i-1].Depth == desc {
				t.Errorf("row %d has %d frames", i, row.Depth)
			}
		}
	}
	if none, _ := sites(query.RowQuery{Text: "main nosuchfunction", Limit: 9}); none.Matching > 0 {
		t.Errorf("%+v", none)
	}
}

func TestDataAccess(t *testing.T) {
	p, heap := realHeap(t, "mem_dap.yaml")
	data, err := p.Data(t.Context())
	if err != nil || data == nil {
		t.Fatal(data, err)
	}
	want := heap.DataAccess
	cold, literals := 0, 0
	for i := range data {
		if data[i].Cold {
			cold++
			if data[i].Literal {
				literals++
			}
		}
	}
	if len(data)-cold != len(want.Records) || cold-literals != len(want.ColdSymbols) ||
		literals != len(want.ColdHashes) || data[0].Accesses < data[1].Accesses {
		t.Errorf("%+v, expected %+v", data, want)
	}
}

// TestHeapSQLite reads an exported database as a person would.
func TestHeapSQLite(t *testing.T) {
	p, heap := realHeap(t, "mem_hist.memprofraw")
	path := filepath.Join(t.TempDir(), "export.db")
	if err := profile.WriteSQLite(t.Context(), p.Profile, path); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	frames, cells := 0, 0
	for _, c := range heap.Distinct() {
		cells += len(c.MIB.Histogram)
		if c.Stack != memprof.NoStack {
			frames += int(heap.Stacks[c.Stack].Depth)
		}
	}
	for query, want := range map[string]int{
		"SELECT count(*) FROM mib_view":             len(heap.Distinct()),
		"SELECT count(*) FROM mib_frame_view":       frames,
		"SELECT count(*) FROM mib_histogram":        cells,
		"SELECT count(*) FROM module":               len(heap.Modules),
		"SELECT count(*) FROM mib WHERE class = ''": 0,
		"SELECT count(*) FROM heap_path_view":       0,
		"SELECT count(DISTINCT context) FROM mib":   len(heap.Distinct()),
	} {
		var got int
		if err := db.QueryRow(query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %d, expected %d, %v", query, got, want, err)
		}
	}
}

// TestFigures holds what a list of profiles shows: functions that allocate,
// bytes, and each context by its magnitude.
func TestFigures(t *testing.T) {
	p, heap := realHeap(t, "mem_cold_v4.profdata")
	prepared, err := memprofdb.Family.Prepare(t.Context(), &stored.Preparing{Records: heap})
	if err != nil {
		t.Fatal(err)
	}
	f, sum := prepared.Figures(), uint64(0)
	for _, n := range f.Magnitudes {
		sum += n
	}
	if f.Functions != p.Overview.Owners || f.Functions == 0 || f.Total != p.Overview.Bytes.String() ||
		sum != p.Overview.Contexts {
		t.Errorf("%+v, %d contexts; expected %+v", f, sum, p.Overview)
	}
}

// A figure is told where contexts have what it is of: bytes of a class where any class is known.
func TestFiguresAreToldOfWhatThereIs(t *testing.T) {
	o := memprofdb.Overview{Schema: 1<<memprof.TotalSize | 1<<memprof.AllocCount}
	o.Contexts, o.Classes[0].Contexts = 5, 2
	for unknown, told := range map[uint64]map[string]bool{
		3: {
			"Bytes": true, "Allocations": true, "Lifetime": false, "Longest": false, "Sites": true, "Classes.0.Contexts": true,
			"Classes.1.Contexts": false, "Classes.2.Bytes": true, "Classes.3.Bytes": true,
		},
		5: {"Classes.0.Bytes": false, "Classes.2.Bytes": false, "Classes.3.Contexts": true},
	} {
		o.Classes[3].Contexts = unknown
		for field, want := range told {
			if o.Tells(field) != want {
				t.Errorf("%s of %+v is told: %v", field, o.Classes, !want)
			}
		}
	}
}

// TestNoHeapProfile holds that a profile without a part says so.
func TestNoHeapProfile(t *testing.T) {
	if _, err := memprofdb.Of(profiletest.Store(t, &format.Profile{})); !errors.Is(err, stored.ErrNoPart) {
		t.Error(err)
	}
}
