package memprofdb_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/profile/calltree"
	"proflens/profile/memprofdb"
	"proflens/profile/query"
	"proflens/profile/table"
)

// blamed is a program whose list grows std::vector<Node>, called from two places;
// one stack is a library's alone, and one recurses.
func blamed(t *testing.T) *memprofdb.Profile {
	t.Helper()
	const (
		allocate = "_ZNSt15__new_allocatorI4NodeE8allocateEmPKv"
		grow     = "_ZNSt6vectorI4NodeSaIS0_EE9push_backERKS0_"
		add      = "_ZN4List3addE4Node"
	)
	var b strings.Builder
	b.WriteString("---\nHeapProfileRecords:\n")
	for i, stack := range [][]string{
		{allocate, grow + "!", add, "one", "main"}, {allocate, grow + "!", add, "two", "main"}, {allocate, grow},
		{add, "one", add, "two", "main"},
	} {
		name := func(f string) string { return strings.TrimSuffix(f, "!") }
		if i == 0 || i == 3 { // one record a function
			b.WriteString("  - GUID: " + stack[0] + "\n    AllocSites:\n")
		}
		b.WriteString("      - Callstack:\n")
		for _, f := range stack {
			inline := "false"
			if name(f) != f {
				inline = "true"
			}
			b.WriteString("          - { Function: " + name(f) + ", LineOffset: 3, Column: 1, IsInlineFrame: " + inline + " }\n")
		}
		b.WriteString("        MemInfoBlock: { AllocCount: 2, TotalSize: " + []string{"1000", "200", "30", "4"}[i] +
			", TotalLifetime: 500, TotalLifetimeAccessDensity: 9 }\n")
	}
	heap, err := memprof.OpenYAML([]byte(b.String() + "...\n"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range heap.Frames { // as a file with names has them
		for _, f := range []string{allocate, grow, add, "one", "two", "main"} {
			if heap.Frames[i].Function == memprofdb.FIDOf([]byte(f)) {
				heap.Frames[i].Name = f
			}
		}
	}
	return openHeap(t, heap)
}

func defaultLibrary(t *testing.T) *analyze.Library {
	t.Helper()
	l, err := analyze.ParseLibrary("")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestBlame blames the first function outside the library, with the type that the
// library's names tell.
func TestBlame(t *testing.T) {
	p, l := blamed(t), defaultLibrary(t)
	page, err := p.Blame(t.Context(), memprofdb.BlameQuery{Library: l, Limit: 10})
	if err != nil || len(page.Rows) != 2 {
		t.Fatalf("%+v, %v", page, err)
	}
	row, alone := page.Rows[0], page.Rows[1]
	if row.Function.Name != "_ZN4List3addE4Node" || row.Bytes.Lo != 1204 || row.Type != "vector<Node>" ||
		row.Folded != 2 || row.Contexts != 3 || row.Lifetimes[4].Lo != 1204 {
		t.Errorf("to blame is %+v of %+v", row.Function, row)
	}
	if alone.Function != nil || alone.Bytes.Lo != 30 || page.InFrames.Lo != 1230 {
		t.Errorf("the library alone is %+v of %v", alone, page.InFrames)
	}
	own, err := analyze.ParseLibrary("default,List::")
	if err != nil {
		t.Fatal(err)
	}
	page, err = p.Blame(t.Context(), memprofdb.BlameQuery{Library: own, Limit: 10})
	if err != nil || len(page.Rows) != 3 || page.Rows[0].Function.Name != "one" || page.Rows[0].Bytes.Lo != 1004 {
		t.Errorf("with List in the library: %+v, %v", page, err)
	}
	byType, err := p.Blame(t.Context(), memprofdb.BlameQuery{Library: l, By: memprofdb.SitesByType, Limit: 10})
	if err != nil || len(byType.Rows) != 2 || byType.Rows[0].Type != "vector<Node>" || byType.Rows[0].Bytes.Lo != 1230 ||
		byType.Rows[1].Type != "" {
		t.Errorf("by type: %+v, %v", byType, err)
	}
	for _, f := range []memprofdb.Filter{{Blame: &row.Function.FID, Library: l}, {Type: new(""), Library: l}} {
		contexts, err := p.Contexts(t.Context(), memprofdb.Query{Filter: f})
		if want := map[bool]int{true: 3, false: 1}[f.Blame != nil]; err != nil || contexts.Matching != want {
			t.Errorf("%d contexts, want %d, %v", contexts.Matching, want, err)
		}
	}
}

// A stack that ends where others go on, and part at last, has no callers of its own.
func TestBlameTreeOfStacksThatEndOnTheWay(t *testing.T) {
	var b strings.Builder
	b.WriteString("---\nHeapProfileRecords:\n  - GUID: own\n    AllocSites:\n")
	for i, callers := range []string{"a b", "a b c d", "a b c e"} {
		b.WriteString("      - Callstack:\n")
		for _, f := range append([]string{"own"}, strings.Fields(callers)...) {
			b.WriteString("          - { Function: " + f + ", LineOffset: 3, Column: 1, IsInlineFrame: false }\n")
		}
		fmt.Fprintf(&b, "        MemInfoBlock: { AllocCount: 1, TotalSize: %d }\n", 100>>i)
	}
	heap, err := memprof.OpenYAML([]byte(b.String() + "...\n"))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := openHeap(t, heap).BlameTree(t.Context(), memprofdb.Filter{Library: defaultLibrary(t)},
		memprofdb.Fold{}, 10)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range tree.Nodes {
		got = append(got, fmt.Sprint(n.Depth, len(n.Callers), n.Bytes))
	}
	if want := []string{"1 3 175", "2 0 100", "2 1 50", "2 1 25"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestBlameTree tells the contexts of a blame frame apart by their callers.
func TestBlameTree(t *testing.T) {
	p, l := blamed(t), defaultLibrary(t)
	add := memprofdb.FIDOf([]byte("_ZN4List3addE4Node"))
	tree, err := p.BlameTree(t.Context(), memprofdb.Filter{Blame: &add, Library: l},
		memprofdb.Fold{Library: l, Recursion: true}, 10)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range tree.Nodes {
		line := strings.Repeat(" ", n.Depth-1) + n.Bytes.String()
		for _, f := range n.Callers {
			line += " " + f.Name
		}
		got = append(got, line)
	}
	// The stack that recurses, add one add two main, is add two main.
	if want := []string{"1000 one main", "204 two main"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if len(tree.Library) != 2 || tree.Cut != 0 {
		t.Errorf("%d library frames, %d cut", len(tree.Library), tree.Cut)
	}
	if cut, err := p.BlameTree(t.Context(), memprofdb.Filter{Blame: &add, Library: l}, memprofdb.Fold{Library: l},
		1); err != nil || len(cut.Nodes) != 1 || cut.Cut != 3 {
		t.Errorf("cut: %+v, %v", cut, err)
	}
}

// TestFoldedFlame leaves frames out of the flame graph, and no bytes.
func TestFoldedFlame(t *testing.T) {
	p, l := blamed(t), defaultLibrary(t)
	for _, c := range []struct {
		fold   memprofdb.Fold
		layout calltree.Layout
		frames int
	}{
		{memprofdb.Fold{}, calltree.Callees, 13},
		{memprofdb.Fold{Library: l}, calltree.Callees, 8},
		{memprofdb.Fold{Library: l, Recursion: true}, calltree.Callees, 6},
		{memprofdb.Fold{Library: l, Recursion: true}, calltree.Callers, 6},
	} {
		g, err := p.FlameGraph(t.Context(), memprofdb.FlameQuery{
			Fold: c.fold, Query: calltree.Query{Layout: c.layout, Limit: 100},
		})
		if err != nil || g.Frames != c.frames || g.Nodes[0].Totals.Bytes.Lo != 1234 {
			t.Errorf("%+v, %s: %d frames, want %d; %v bytes, %v", c.fold.Recursion, c.layout, g.Frames, c.frames,
				g.Nodes[0].Totals.Bytes, err)
		}
	}
}

// callsOf is the calls that a query asks for.
func callsOf(t *testing.T, p *memprofdb.Profile, fold *analyze.Library, q table.Query) ([]*memprofdb.Call, table.Page) {
	t.Helper()
	find, err := p.FindCalls(t.Context(), analyze.MemProfThresholds{}, fold)
	if err != nil {
		t.Fatal(err)
	}
	if q.Limit == 0 {
		q.Limit = 1 << 20
	}
	page, err := find(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return table.RowsOf[memprofdb.Call](&page), page
}

// TestCalls adds up what goes through each call, once a context.
func TestCalls(t *testing.T) {
	p, l := blamed(t), defaultLibrary(t)
	rows, page := callsOf(t, p, l, table.Query{})
	around := page.Around.(*memprofdb.CallsAround)
	got := map[string]string{}
	for _, c := range rows {
		got[c.Caller.Name+" "+c.Callee.Name] = c.Bytes.String()
		if c.Caller.Name == "_ZN4List3addE4Node" && strings.HasPrefix(c.Callee.Name, "_ZNSt15") &&
			(len(c.Inlined) != 1 || !around.Library(c.Callee)) {
			t.Errorf("the call of the allocator has %d inlined: %+v", len(c.Inlined), c)
		}
	}
	for call, bytes := range map[string]string{
		"main one": "1000", "main two": "204", "one _ZN4List3addE4Node": "1004", "_ZN4List3addE4Node one": "4",
		"two _ZN4List3addE4Node": "204",
		"_ZN4List3addE4Node _ZNSt15__new_allocatorI4NodeE8allocateEmPKv": "1200",
	} {
		if got[call] != bytes {
			t.Errorf("%s has %s bytes, want %s", call, got[call], bytes)
		}
	}
	if len(got) != 6 || around.Folded != 1 || page.Facets[1] != 0 {
		t.Errorf("%d calls, %d folded: %v", len(got), around.Folded, got)
	}
	if _, named := callsOf(t, p, nil, table.Query{RowQuery: query.RowQuery{Text: "two"}}); named.Matching != 2 {
		t.Errorf("%+v", named)
	}
}

// TestCallPages counts calls and orders them, against those of all contexts.
func TestCallPages(t *testing.T) {
	heap := heapProfile(300, 5, memprof.DefaultSchema)
	p := openHeap(t, heap)
	rows, all := callsOf(t, p, nil, table.Query{})
	if all.All != len(rows) || all.Matching != all.All || all.Around.(*memprofdb.CallsAround).Folded != 0 || all.All == 0 {
		t.Fatalf("%d of %d of %d", len(rows), all.Matching, all.All)
	}
	mixes, clones := 0, 0
	for i, c := range rows {
		if i > 0 && c.Bytes.Compare(rows[i-1].Bytes) > 0 {
			t.Errorf("call %d is larger than the one before", i)
		}
		classes := 0
		for _, of := range c.Classes {
			if of.Contexts > 0 {
				classes++
			}
		}
		if c.Mixes != (classes > 1) {
			t.Errorf("%d classes, and mixes %v", classes, c.Mixes)
		}
		if c.Mixes {
			mixes++
		}
		if cold := c.Classes[0].Contexts > 0; c.Clone != (cold && classes > 1) || c.Clone != (c.Mixed > 0) {
			t.Errorf("a call of %d classes, cold among them %v: %d", classes, cold, c.Mixed)
		}
		clones += c.Mixed
	}
	if all.Facets[0] != mixes || all.Facets[1] != clones || mixes == 0 || mixes == all.All {
		t.Errorf("%d mix and %d need a clone, want %d, %d of %d", all.Facets[0], all.Facets[1], mixes, clones, all.All)
	}
	for name, test := range map[string]struct {
		query table.Query
		want  int
	}{"mixed": {table.Query{Facets: []string{"mixed"}}, mixes},
		"to clone": {table.Query{Facets: []string{"clone"}}, clones},
		"none":     {table.Query{RowQuery: query.RowQuery{Text: "no such function"}}, 0}} {
		if _, page := callsOf(t, p, nil, test.query); page.Matching != test.want || page.All != all.All {
			t.Errorf("%s: %d of %d, want %d", name, page.Matching, page.All, test.want)
		}
	}
	rows, _ = callsOf(t, p, nil, table.Query{
		RowQuery: query.RowQuery{Sort: []query.Key{{Column: memprofdb.ColContexts}}, Offset: 3, Limit: 2},
	})
	if len(rows) != 2 || rows[0].Contexts > rows[1].Contexts {
		t.Errorf("%+v", rows)
	}
}

// TestCallsAddUp holds what goes through each call against contexts added up one by one,
// among them those in which a call comes again.
func TestCallsAddUp(t *testing.T) {
	heap := heapProfile(120, 6, memprof.DefaultSchema)
	for i := range heap.Frames {
		heap.Frames[i].Inline = false
	}
	type edge struct {
		caller, callee string
		line           uint32
	}
	bytes, contexts, sites, again := map[edge]uint64{}, map[edge]uint64{}, map[edge]map[string]bool{}, 0
	for i := range heap.Contexts {
		c := &heap.Contexts[i]
		seen := map[edge]bool{}
		var below *memprof.Frame
		var site string
		for f := range heap.Stack(c.Stack) {
			if below == nil {
				site = fmt.Sprint(f.Name, f.Line, f.Column)
				below = f
				continue
			}
			at := edge{f.Name, below.Name, f.Line}
			below = f
			if seen[at] {
				again++
				continue
			}
			seen[at] = true
			bytes[at] += c.MIB.Get(memprof.TotalSize)
			contexts[at]++
			if sites[at] == nil {
				sites[at] = map[string]bool{}
			}
			sites[at][site] = true
		}
	}
	rows, _ := callsOf(t, openHeap(t, heap), nil, table.Query{})
	if len(rows) != len(bytes) || again == 0 {
		t.Fatalf("%d calls, want %d; %d come again", len(rows), len(bytes), again)
	}
	for _, c := range rows {
		at := edge{c.Caller.Name, c.Callee.Name, c.At.Line}
		if c.Bytes.Lo != bytes[at] || c.Contexts != contexts[at] || c.Sites != len(sites[at]) {
			t.Errorf("%v: %d bytes, %d contexts, %d sites; want %d, %d, %d", at, c.Bytes.Lo, c.Contexts, c.Sites,
				bytes[at], contexts[at], len(sites[at]))
		}
	}
}
