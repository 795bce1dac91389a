package memprofdb_test

import (
	"slices"
	"testing"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/profile/memprofdb"
	"proflens/profile/query"
	"proflens/profile/table"
)

// TestCloning prunes a real program's sites by thresholds that make three of them
// need cloning, as clang 22 says with the same options: the sites are its
// functions leaf, two_ways and recurse.
func TestCloning(t *testing.T) {
	p, decoded := realHeap(t, "mem_prune.profdata")
	cold := analyze.MemProfThresholds{ColdDensity: 1, ColdLifetime: 0, HotDensity: 1000}
	cloning := func(t *testing.T, by analyze.MemProfThresholds, q query.RowQuery) ([]*memprofdb.PrunedSite,
		*memprofdb.Pruning) {
		t.Helper()
		find, err := p.FindCloning(t.Context(), by)
		if err != nil {
			t.Fatal(err)
		}
		page, err := find(t.Context(), table.Query{RowQuery: q})
		if err != nil {
			t.Fatal(err)
		}
		return table.RowsOf[memprofdb.PrunedSite](&page), page.Around.(*memprofdb.Pruning)
	}
	rows, page := cloning(t, cold, query.RowQuery{Limit: 10})
	var names []uint64
	for _, s := range rows {
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
		t.Errorf("%+v of %+v", page, classes.Classes)
	}
	// Where a site's contexts part, clang needs a clone of each function up to
	// there: recurse and what it was called from, three deep; two_ways alone; leaf,
	// middle, and one each of upper and lower.
	if page.Clones != 4+1+4 {
		t.Errorf("%d clones", page.Clones)
	}
	if byBytes, _ := cloning(t, cold,
		query.RowQuery{Sort: []query.Key{{Column: memprofdb.ColBytes}}, Offset: 1, Limit: 1}); len(byBytes) != 1 {
		t.Fatalf("%+v", byBytes)
	}
	for _, s := range rows {
		find, err := p.FindMIBs(t.Context(), cold, &s.ID)
		if err != nil {
			t.Fatal(err)
		}
		mibs, err := find(t.Context(), table.Query{RowQuery: query.RowQuery{Limit: 100}})
		if err != nil {
			t.Fatal(err)
		}
		contexts := map[uint32]bool{}
		for _, m := range table.RowsOf[memprofdb.PrunedMIB](&mibs) {
			if stack := m.Stack.Frames(); len(stack) != m.Depth || len(m.StackIDs()) != m.Depth ||
				stack[0].GUID != s.Function.GUID {
				t.Errorf("%+v", m)
			}
			for _, i := range m.Contexts {
				contexts[i] = true
			}
		}
		if uint64(len(contexts)) != s.Contexts {
			t.Errorf("%x: %d contexts in MIBs of %d", s.Function.GUID, len(contexts), s.Contexts)
		}
	}
	if rows, none := cloning(t, analyze.MemProfThresholds{}, query.RowQuery{Limit: 10}); none.Cloned != 0 ||
		len(rows) != 0 || none.Sites != 5 {
		t.Errorf("by default %+v", none)
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
