package memprofdb_test

import (
	"slices"
	"testing"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/profiledb/memprofdb"
	"proflens/profiledb/query"
)

// TestCloning prunes a real program's sites by thresholds that make three of them
// need cloning, as clang 22 says with the same options: the sites are its
// functions leaf, two_ways and recurse.
func TestCloning(t *testing.T) {
	p, decoded := realHeap(t, "mem_prune.profdata")
	cold := analyze.MemProfThresholds{ColdDensity: 1, ColdLifetime: 0, HotDensity: 1000}
	page, err := p.Cloning(t.Context(), memprofdb.CloningQuery{Thresholds: cold, RowQuery: query.RowQuery{Limit: 10}})
	if err != nil {
		t.Fatal(err)
	}
	var names []uint64
	for _, s := range page.Rows {
		names = append(names, s.Function.GUID)
	}
	if want := []uint64{memprofdb.FIDOf([]byte("_Z7recurseii")), memprofdb.FIDOf([]byte("_Z8two_waysi")),
		memprofdb.FIDOf([]byte("_Z4leafi"))}; !slices.Equal(names, want) {
		t.Errorf("by cold bytes the sites are %x, expected %x", names, want)
	}
	classes, err := p.Contexts(t.Context(), memprofdb.Query{Filter: memprofdb.Filter{Thresholds: cold}})
	if err != nil {
		t.Fatal(err)
	}
	sum := page.Attributes
	sum.AddSum(page.Separated)
	sum.AddSum(page.Lost)
	if sum != classes.Classes[0].Bytes || page.Sites != 5 || page.Cloned != 3 || page.Attributes.Lo != 700 ||
		page.Lost.Lo != 0 {
		t.Errorf("%+v of %+v", page.Pruning, classes.Classes)
	}
	// Where a site's contexts part, clang needs a clone of each function up to
	// there: recurse and what it was called from, three deep; two_ways alone; leaf,
	// middle, and one each of upper and lower.
	if page.Clones != 4+1+4 {
		t.Errorf("%d clones", page.Clones)
	}
	byName, err := p.Cloning(t.Context(), memprofdb.CloningQuery{
		Thresholds: cold, RowQuery: query.RowQuery{Sort: []query.Key{{Column: memprofdb.ColBytes}}, Offset: 1, Limit: 1},
	})
	if err != nil || len(byName.Rows) != 1 {
		t.Fatalf("%+v, %v", byName, err)
	}
	for i := range page.Rows {
		s := &page.Rows[i]
		mibs, err := p.MIBs(t.Context(), cold, &s.ID, query.RowQuery{Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		contexts := map[int]bool{}
		for _, m := range mibs.Rows {
			if len(m.Stack) != m.Depth || len(m.StackIDs) != m.Depth || m.Stack[0].GUID != s.Function.GUID {
				t.Errorf("%+v", m)
			}
			for _, i := range m.Indexes {
				contexts[i] = true
			}
		}
		if uint64(len(contexts)) != s.Contexts {
			t.Errorf("%x: %d contexts in MIBs of %d", s.Function.GUID, len(contexts), s.Contexts)
		}
	}
	none, err := p.Cloning(t.Context(), memprofdb.CloningQuery{RowQuery: query.RowQuery{Limit: 10}})
	if err != nil || none.Cloned != 0 || len(none.Rows) != 0 || none.Sites != 5 {
		t.Errorf("by default %+v, %v", none, err)
	}
	if got, want := p.Overview.Shared, analyze.StackSizesOf(decoded); got != want {
		t.Errorf("stacks are %+v, expected %+v", got, want)
	}
}

// TestChanged finds the contexts that other thresholds put into another class.
func TestChanged(t *testing.T) {
	p, decoded := realHeap(t, "mem_prune.profdata")
	cold := analyze.MemProfThresholds{ColdDensity: 1, ColdLifetime: 0, HotDensity: 2000000}
	want := 0
	for i := range decoded.Contexts {
		m := &decoded.Contexts[i].MIB
		if m.Get(memprof.AllocCount) == 0 {
			t.Fatal("a context has no objects")
		}
		if cold.Class(m) != analyze.DefaultMemProfThresholds.Class(m) {
			want++
		}
	}
	for changed, want := range map[bool]int{true: want, false: len(decoded.Contexts) - want} {
		page, err := p.Contexts(t.Context(), memprofdb.Query{Filter: memprofdb.Filter{Thresholds: cold, Changed: &changed}})
		if err != nil || page.Matching != want || want == 0 {
			t.Errorf("changed=%t: %d contexts, expected %d, %v", changed, page.Matching, want, err)
		}
	}
}
