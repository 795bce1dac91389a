package instrdb_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/profile/instrdb"
	"proflens/profile/profiletest"
	"proflens/profile/query"
	"proflens/profile/table"
)

// ofEverything is a program whose records have all that tables show, with vtables that have
// names, vtables that have none, and traces.
func ofEverything() *synthetic {
	s := crossed(3)
	s.info.Variant |= instrprof.InstrEntry
	vtables := []string{"_ZTV1A", "_ZTV1B", "_ZTI1C", "_ZTV1D"}
	ref := func(i int) uint64 { return refOf([]byte(vtables[i%len(vtables)])) }
	for _, name := range vtables[:3] {
		s.info.VTableNames = append(s.info.VTableNames, []byte(name))
		s.names[refOf([]byte(name))] = []byte(name)
	}
	s.names[ref(3)] = []byte(vtables[3])
	s.info.VTables = []instrprof.VTable{
		{NameRef: ref(1), Address: 900, Size: 16}, {NameRef: ref(1), Address: 800, Size: 32},
		{NameRef: 77, Address: 5, Size: 8},
	}
	for i := range s.functions {
		f := &s.functions[i]
		if i%3 == 0 {
			f.Bitmap = slices.Repeat([]byte{byte(i)}, 1+i%5)
		}
		if i%4 == 0 {
			f.Sites[instrprof.VTableTarget] = []instrprof.ValueSite{
				{{Value: ref(i), Count: uint64(i) + 1}, {Value: ref(i + 3), Count: 5}, {Value: ref(i), Count: 2}},
				{{Value: 0, Count: 3}, {Value: ref(i / 3), Count: math.MaxUint64 - uint64(i)}, {Value: 78, Count: uint64(i)}},
			}
		}
		if i%5 == 0 {
			f.Sites[instrprof.IndirectCallTarget] = []instrprof.ValueSite{
				{{Value: s.functions[i/2].NameRef, Count: uint64(i)}, {Value: 78, Count: 9}}, {{Value: 0, Count: 4}},
			}
			f.Sites[instrprof.MemOPSize] = []instrprof.ValueSite{{{Value: uint64(i), Count: 4}, {Value: 8, Count: 3}}, {}}
		}
	}
	for i := range 3 {
		t := instrprof.Trace{Weight: uint64(i) + 4}
		for at := range 7 + i {
			t.NameRefs = append(t.NameRefs, s.functions[(i*3+at*2)%40].NameRef)
		}
		s.traces = append(s.traces, t)
	}
	s.traces = append(s.traces, instrprof.Trace{}, instrprof.Trace{NameRefs: []uint64{1234}})
	return s
}

// found is what a Find finds, whole.
func found(t *testing.T) func(find table.Find, err error) table.Find {
	return func(find table.Find, err error) table.Find {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return find
	}
}

// Every table selects, orders and pages by what it shows, and shows what the records have.
func TestTablesAreWhatRecordsSay(t *testing.T) {
	src := ofEverything()
	p, slow, find := openSource(t, src), newNaive(src), found(t)
	profiletest.Table(t, instrdb.Bitmaps, find(p.FindBitmaps(t.Context())), "name")
	profiletest.Table(t, instrdb.Order, find(p.FindPlaced(t.Context())), "name")
	profiletest.Table(t, instrdb.VTables, find(p.FindVTables(t.Context())), "name")
	profiletest.Table(t, instrdb.VTableSites, find(p.FindAllVTableSites(t.Context())), "name")
	for kind := range instrprof.ValueKind(instrprof.NumValueKinds) {
		values := func(target string) table.Find { return find(p.FindValues(t.Context(), kind, 0, target)) }
		profiletest.Table(t, instrdb.ValueSites, values(""), "name")
		all := profiletest.Rows(t, instrdb.ValueSites, values(""), table.Query{})
		if len(all) < 60 {
			t.Fatalf("%v: %d sites", kind, len(all))
		}
		for _, target := range []string{"aa1f", "_ZTV1A", "8", "4e", "000000"} {
			page, err := values(target)(t.Context(), table.Query{RowQuery: query.RowQuery{Limit: 10_000}})
			if err != nil {
				t.Fatal(err)
			}
			want := 0
			for _, r := range slow.rows {
				for _, site := range r.Sites[kind] {
					if slices.ContainsFunc(site, func(v instrprof.Value) bool {
						at := slices.IndexFunc(slow.rows, func(o instrdb.Record) bool { return o.Ref == v.Value })
						name := string(src.names[v.Value])
						switch {
						case kind == instrprof.MemOPSize:
							name = fmt.Sprint(v.Value)
						case at >= 0:
							name = slow.rows[at].PGO
						case name == "":
							name = fmt.Sprintf("0x%016x", v.Value)
						}
						return strings.Contains(name, target)
					}) {
						want++
					}
				}
			}
			if page.Len() != want || page.Matching != want || page.All != len(all) {
				t.Errorf("%v: %d of %d sites saw %q, want %d", kind, page.Len(), page.All, target, want)
			}
		}
	}
	holdVTables(t, p, slow)
	holdTraces(t, p, src)
	for i, row := range profiletest.Rows(t, instrdb.Functions, p.FindFunctions(instrdb.Query{}), table.Query{}) {
		r := &slow.rows[i]
		for column, want := range map[string]any{
			"rank": r.Rank, "fid": fmt.Sprintf("%016x", r.Ref), "func_hash": fmt.Sprintf("%016x", r.FuncHash), "total": r.Total,
			"max": r.Max, "entry": r.Entry, "max_index": r.MaxIndex, "counters": r.NumCounters, "zero": r.NumZero,
			"executed": r.Executed(), "value_sites": r.SiteCount, "ordinal": r.Ordinal, "context_sensitive": r.CS,
			"class": cmp.Or(string(r.Class), ""), "pseudo": r.Pseudo, "records": 1, "share_matching": r.Share,
		} {
			if row.Text[column] != fmt.Sprint(want) {
				t.Errorf("%s of %d is %q, want %v", column, r.Rank, row.Text[column], want)
			}
		}
	}
	yes := true
	sum := 0.0
	for _, row := range profiletest.Rows(t, instrdb.Functions, p.FindFunctions(instrdb.Query{CS: &yes}), table.Query{}) {
		n, err := strconv.ParseFloat(row.Text["share_matching"], 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("the shares of what matches are %v together", sum)
	}
}

// holdVTables holds vtables and the sites that saw them against the records.
func holdVTables(t *testing.T, p *instrdb.Profile, slow *naive) {
	t.Helper()
	type seen struct {
		sites, functions int
		count            analyze.Sum
	}
	want, rows, noneAt := map[uint64]seen{}, map[string]int{}, 0
	var total analyze.Sum
	for _, r := range slow.rows {
		entered := map[uint64]bool{}
		for index, site := range r.Sites[instrprof.VTableTarget] {
			counts, addresses := map[uint64]uint64{}, map[uint64]int{}
			var all uint64
			saturated := func(a, b uint64) uint64 {
				if a > math.MaxUint64-b {
					return math.MaxUint64
				}
				return a + b
			}
			for _, v := range site {
				counts[v.Value] = saturated(counts[v.Value], v.Count)
				all = saturated(all, v.Count)
				addresses[v.Value]++
				of := want[v.Value]
				of.count.Add(v.Count)
				total.Add(v.Count)
				if !entered[v.Value] {
					of.functions++
				}
				entered[v.Value], want[v.Value] = true, of
			}
			noneAt += addresses[0]
			for ref, count := range counts {
				of := want[ref]
				of.sites++
				want[ref] = of
				rows[fmt.Sprint(ref, r.Rank, index, addresses[ref], count, all)]++
			}
		}
	}
	find := found(t)
	page, err := find(p.FindVTables(t.Context()))(t.Context(), table.Query{RowQuery: query.RowQuery{Limit: 100}})
	if err != nil {
		t.Fatal(err)
	}
	around, observed := page.Around.(*instrdb.VTableSums), 0
	for i := range page.Len() {
		v := page.Row(i).Addr().Interface().(*instrdb.VTable)
		of := want[v.Name.Ref]
		if v.Sites != of.sites || v.Functions != of.functions || v.Count != of.count || v.Seen != (of.sites > 0) ||
			math.Abs(v.Share-naiveShare(of.count, total)) > 1e-12 {
			t.Errorf("%+v, want %+v", v, of)
		}
		if v.Seen && v.Name.Ref != 0 {
			observed++
		}
		sites := 0
		one, err := find(p.FindVTableSites(t.Context(), v.Name.Ref))(t.Context(), table.Query{})
		if err != nil || one.All != of.sites {
			t.Errorf("%d sites of %s, %v; want %d", one.All, v.Name.PGO, err, sites)
		}
	}
	if around.Seen != observed || around.Total != total || around.NoneAt != noneAt || around.None == nil ||
		around.None.Count != want[0].count {
		t.Errorf("%+v; want %d seen, %v, %d", around, observed, total, noneAt)
	}
	if _, err := p.FindVTableSites(t.Context(), 4); err == nil {
		t.Error("there are sites of no vtable")
	}
	sites, err := find(p.FindAllVTableSites(t.Context()))(t.Context(),
		table.Query{RowQuery: query.RowQuery{Limit: 10_000}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range sites.Len() {
		s := sites.Row(i).Addr().Interface().(*instrdb.VTableSite)
		key := fmt.Sprint(s.VTable, s.Rank, s.Index, s.Addresses, s.Count, s.All)
		if rows[key]--; rows[key] < 0 || s.Share != float64(s.Count)/float64(max(s.All, 1)) ||
			s.FuncHash != slow.rows[s.Rank-1].FuncHash || s.CS != slow.rows[s.Rank-1].CS {
			t.Errorf("%+v is not so", s)
		}
	}
	for key, n := range rows {
		if n > 0 {
			t.Errorf("site %s is missing", key)
		}
	}
}

// holdTraces holds pages of the functions of traces against the traces.
func holdTraces(t *testing.T, p *instrdb.Profile, src *synthetic) {
	t.Helper()
	var want, got []instrdb.TracedFunction
	for i, trace := range src.traces {
		for at, ref := range trace.NameRefs {
			f := instrdb.TracedFunction{Trace: i, Weight: trace.Weight, Position: at, Function: table.Name{Ref: ref}}
			for _, r := range src.functions {
				if r.NameRef == ref {
					f.Function.PGO = string(r.Name)
				}
			}
			want = append(want, f)
		}
	}
	find := found(t)(p.FindTraced(t.Context()))
	for {
		page, err := find(t.Context(), table.Query{RowQuery: query.RowQuery{Offset: len(got), Limit: 4}})
		if err != nil || page.All != len(want) || page.Matching != len(want) || page.Len() > 4 {
			t.Fatal(page, err)
		}
		if page.Len() == 0 {
			break
		}
		got = append(got, page.Rows.([]instrdb.TracedFunction)...)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	order, err := p.FunctionOrder(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range order {
		at, place, of, ok, err := p.PlaceOf(t.Context(), f.NameRef)
		if err != nil || !ok || at != f || place != i || of != len(order) {
			t.Errorf("%x is at %d of %d, %v, %v", f.NameRef, place, of, ok, err)
		}
	}
	if _, _, of, ok, err := p.PlaceOf(t.Context(), 99); ok || of != len(order) || err != nil {
		t.Error("what is in no trace has a place", err)
	}
}

// The trees of two profiles, put on each other, hold what the pairs of each node do.
func TestTreesOfTwoProfilesHoldTheirPairs(t *testing.T) {
	c := compare(t, openSource(t, crossed(4)), openSource(t, crossed(5)))
	for _, by := range []query.TreeBy{query.ByPath, query.ByNamespace} {
		tree, err := c.Tree(t.Context(), by, nil)
		if err != nil {
			t.Fatal(err)
		}
		root, above, ok := tree.Find("")
		if !ok || len(above) > 0 || root.Base.Total != c.Base.Overview.Total ||
			root.Test.Functions != uint64(c.Test.Overview.Functions) {
			t.Errorf("%s: %+v", by, root)
		}
		nodes := 0
		var walk func(of instrdb.ChangeNode)
		walk = func(of instrdb.ChangeNode) {
			var base, test analyze.Totals
			children := tree.Children(of)
			for i, n := range children {
				nodes++
				for _, side := range []struct{ sum, of *analyze.Totals }{{&base, &n.Base}, {&test, &n.Test}} {
					side.sum.Functions += side.of.Functions
					side.sum.Executed += side.of.Executed
					side.sum.Counters += side.of.Counters
					side.sum.Zero += side.of.Zero
					side.sum.Total.AddSum(side.of.Total)
				}
				q := instrdb.CompareQuery{MoveQuery: allMoves, Names: instrdb.Query{Names: query.Names{Path: n.Filter}}}
				if by == query.ByNamespace {
					q.Names = instrdb.Query{Scope: n.Filter}
				}
				rows, page := pairsOf(t, c, q, query.RowQuery{})
				var functions, executed [2]uint64
				for _, r := range rows {
					for side, s := range []*instrdb.PairSide{r.Base, r.Test} {
						if s != nil {
							functions[side]++
							if s.Row.Executed() {
								executed[side]++
							}
						}
					}
				}
				want := table.NewMove(naiveShare(n.Base.Total, c.Base.Overview.Total),
					naiveShare(n.Test.Total, c.Test.Overview.Total))
				if *page.Around.(*instrdb.PairTotals) != (instrdb.PairTotals{Base: n.Base.Total, Test: n.Test.Total}) ||
					functions != [2]uint64{n.Base.Functions, n.Test.Functions} ||
					executed != [2]uint64{n.Base.Executed, n.Test.Executed} ||
					math.Abs(n.Change-want.Change) > 1e-12 || n.BaseShare != want.InBase || n.TestShare != want.InTest {
					t.Errorf("%s: %+v has %+v of %v functions, %v executed", by, n, page.Around, functions, executed)
				}
				if i > 0 && n.Path != of.Path && n.Filter != "" && n.Kind != query.Direct && children[i-1].Kind != query.Direct &&
					n.Name != "" && math.Abs(n.Change) > math.Abs(children[i-1].Change) {
					t.Errorf("%s: %q, of %v, stands behind %v", by, n.Path, n.Change, children[i-1].Change)
				}
				if n.Kind == query.Branch {
					again, _, ok := tree.Find(n.Path)
					if !ok || again.Base != n.Base || again.Test != n.Test {
						t.Errorf("%s: %q is found as %+v", by, n.Path, again)
					}
					walk(n)
				}
			}
			if diff := gocmp.Diff([]analyze.Totals{of.Base, of.Test}, []analyze.Totals{base, test}); diff != "" {
				t.Errorf("%s: below %q (-it +they):\n%s", by, of.Path, diff)
			}
		}
		walk(root)
		if nodes < 4 {
			t.Errorf("%s: %d nodes", by, nodes)
		}
		if _, _, ok := tree.Find("no/such"); ok {
			t.Errorf("%s: what is not there is found", by)
		}
	}
}

// Functions are found at the line that a program says they are declared on, in each of its files.
func TestFunctionsByLine(t *testing.T) {
	src := crossed(6)
	at := func(f *instrprof.Function) model.Declaration {
		n := len(f.Name) + int(f.Name[len(f.Name)-1])
		return model.Declaration{Name: f.Name, File: fmt.Sprintf("/b/%d.c", n%3), Line: uint32(1 + n%2)}
	}
	whole := partOf(src)
	whole.Declared = func(_ context.Context, _ func([]byte) bool, visit func(model.Declaration)) ([]model.Finding, error) {
		for i := range src.functions {
			if f := &src.functions[i]; f.Name[0] == '_' {
				visit(at(f))
			}
		}
		return nil, nil
	}
	p, slow := of(t, profiletest.Store(t, whole)), newNaive(src)
	lines, err := p.Lines(t.Context())
	if err != nil || len(lines.Files) != 3 {
		t.Fatal(lines, err)
	}
	names, err := p.FileNames(t.Context())
	if err != nil || !slices.Equal(names, []string{"/b/0.c", "/b/1.c", "/b/2.c"}) {
		t.Errorf("%q, %v", names, err)
	}
	for i := range lines.Files {
		file := &lines.Files[i]
		var sums [2]uint64
		for n, line := range file.Lines {
			var want []int
			var total uint64
			for _, r := range slow.rows {
				if d := at(recordOf(src, &r)); r.PGO[0] == '_' && d.File == file.Name && d.Line == line {
					want = append(want, r.Rank)
					total += r.Total.Saturated()
				}
			}
			rows, all, err := p.DeclaredAt(t.Context(), file.Name, line, 5)
			var got []int
			for _, r := range rows {
				got = append(got, r.Rank)
			}
			if err != nil || !slices.Equal(got, want[:min(len(want), 5)]) || all != len(want) || len(want) == 0 ||
				!slices.Equal(file.At(n), []uint64{uint64(len(want)), total}) {
				t.Errorf("%s:%d: %v of %d, %v, %v; want %v, %d", file.Name, line, got, all, file.At(n), err, want, total)
			}
			sums[0], sums[1] = sums[0]+uint64(len(want)), sums[1]+total
		}
		if !slices.Equal(file.Sums, sums[:]) {
			t.Errorf("%s: %v, want %v", file.Name, file.Sums, sums)
		}
	}
}
