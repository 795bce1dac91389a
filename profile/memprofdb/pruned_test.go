package memprofdb_test

import (
	"slices"
	"testing"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/profile/memprofdb"
	"proflens/profile/profiletest"
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

// What is pruned adds up: sites to the figures around them, MIBs to their sites, contexts to MIBs. Functions
// without a GUID are told apart all the same.
func TestPruningAddsUp(t *testing.T) {
	whole, nameless := heapProfile(300, 21, memprof.DefaultSchema), heapProfile(300, 21, memprof.DefaultSchema)
	for i := range nameless.Frames {
		nameless.Frames[i].Function = 0
	}
	var before memprofdb.Pruning
	for n, heap := range []*memprof.Profile{whole, nameless} {
		leaves, cold := map[uint32]int{}, 0
		for i := range heap.Contexts {
			leaves[heap.Stacks[heap.Contexts[i].Stack].Frame]++
			if analyze.DefaultMemProfThresholds.Class(&heap.Contexts[i].MIB) == analyze.MemProfCold {
				cold = i
			}
		}
		alone := slices.IndexFunc(heap.Contexts, func(c memprof.Context) bool {
			return leaves[heap.Stacks[c.Stack].Frame] == 1
		})
		heap.Contexts[alone].MIB = heap.Contexts[cold].MIB // a site that is cold alone
		p := openHeap(t, heap)
		find, err := p.FindCloning(t.Context(), analyze.MemProfThresholds{})
		if err != nil {
			t.Fatal(err)
		}
		profiletest.Table(t, memprofdb.Cloning, find, "name")
		page, err := find(t.Context(), table.Query{RowQuery: query.RowQuery{Limit: 1000}})
		if err != nil {
			t.Fatal(err)
		}
		got := *page.Around.(*memprofdb.Pruning)
		if n == 1 && got != before {
			t.Errorf("without GUIDs %+v, not %+v", got, before)
		}
		before = got
		classes := p.Overview.Classes
		want := memprofdb.Pruning{Sites: p.Overview.Sites, Cloned: p.Overview.MixedSites, Functions: got.Functions}
		if want.Lost = classes[0].Bytes; got.Functions == 0 || got.Functions > got.Clones {
			t.Errorf("%d functions of %d clones", got.Functions, got.Clones)
		}
		cloned := map[uint64]bool{}
		for _, s := range table.RowsOf[memprofdb.PrunedSite](&page) {
			cloned[s.ID] = true
			want.MIBs += len(s.MIBs)
			want.Clones += len(s.Clones)
			for i := range s.MIBs {
				if !s.MIBs[i].LeftOut {
					want.Kept++
				}
			}
			want.Separated.AddSum(s.HintBytes)
			if s.Functions == 0 != (len(s.Clones) == 0) || s.Functions > len(s.Clones) {
				t.Errorf("%d functions of %d clones", s.Functions, len(s.Clones))
			}
		}
		contexts, err := p.Contexts(t.Context(), memprofdb.Query{
			Sort: []query.Key{{Column: memprofdb.ColIndex}}, Limit: 1000,
		})
		if err != nil {
			t.Fatal(err)
		}
		classOf, ofSite := map[int]analyze.MemProfClass{}, map[uint64][]int{}
		for i := range contexts.Rows {
			r := &contexts.Rows[i]
			classOf[r.Index], ofSite[r.Site] = r.Class, append(ofSite[r.Site], r.Index)
			if r.Class == analyze.MemProfCold && !cloned[r.Site] {
				want.Attributes.Add(r.MIB.Get(memprof.TotalSize))
			}
		}
		want.Lost.Sub(want.Attributes)
		want.Lost.Sub(want.Separated)
		if got != want || got.Cloned == 0 || got.Cloned != len(cloned) || want.Attributes.IsZero() {
			t.Errorf("%+v of %d sites, want %+v", got, len(cloned), want)
		}
		all, err := p.FindMIBs(t.Context(), analyze.MemProfThresholds{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		profiletest.Table(t, memprofdb.MIBs, all, "name")
		mibs, err := all(t.Context(), table.Query{RowQuery: query.RowQuery{Limit: 10_000}})
		if err != nil {
			t.Fatal(err)
		}
		seen, perSite := map[int]bool{}, map[uint64]int{}
		for i, m := range table.RowsOf[memprofdb.PrunedMIB](&mibs) {
			var bytes, cold uint64
			for _, n := range m.Contexts {
				i := ofSite[m.Site.ID][n]
				if seen[i] {
					t.Errorf("context %d is in several MIBs", i)
				}
				seen[i] = true
				bytes += heap.Contexts[i].MIB.Get(memprof.TotalSize)
				if classOf[i] == analyze.MemProfCold {
					cold += heap.Contexts[i].MIB.Get(memprof.TotalSize)
				}
			}
			perSite[m.Site.ID]++
			row := mibs.Row(i)
			word := "metadata"
			switch {
			case !cloned[m.Site.ID]:
				word = "attribute"
			case m.LeftOut:
				word = "left out"
			}
			if as := memprofdb.MIBs.Field("as").Text(row); m.Bytes.Lo != bytes || m.ColdBytes.Lo != cold || as != word ||
				(m.StackIDs() == nil) != (heap == nameless) {
				t.Errorf("%+v is %s of %d bytes, %d cold; want %s, %d, %d", m, as, m.Bytes, m.ColdBytes, word, bytes, cold)
			}
		}
		if len(seen) != len(heap.Contexts) {
			t.Errorf("%d contexts of %d", len(seen), len(heap.Contexts))
		}
		for site, want := range perSite {
			find, err := p.FindMIBs(t.Context(), analyze.MemProfThresholds{}, &site)
			if err != nil {
				t.Fatal(err)
			}
			if one, err := find(t.Context(), table.Query{}); err != nil || one.All != want {
				t.Errorf("%x has %d MIBs, not %d, %v", site, one.All, want, err)
			}
		}
	}
}
