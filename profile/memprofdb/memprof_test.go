package memprofdb_test

import (
	"cmp"
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/profile/calltree"
	"proflens/profile/memprofdb"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// TestHeapRoundTrip stores made-up profiles and finds everything again, context
// by context.
func TestHeapRoundTrip(t *testing.T) {
	for _, schema := range []memprof.MIBSchema{
		memprof.DefaultSchema, memprof.SchemaToTag25, memprof.CompleteSchema &^ (1 << memprof.AccessHistogram),
	} {
		heap := heapProfile(500, 2, schema)
		heap.Contexts[3].MIB.Histogram = []uint64{0, 5, math.MaxUint64}
		heap.Contexts[4].MIB = memprof.MIB{Schema: 1 << memprof.AllocCount, Values: []uint64{7}}
		heap.Contexts = append(heap.Contexts, memprof.Context{Stack: memprof.NoStack, MIB: heap.Contexts[0].MIB})
		p := openHeap(t, heap)
		page, err := p.Contexts(t.Context(), memprofdb.Query{Sort: []query.Key{{Column: memprofdb.ColIndex}}, Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Rows) != len(heap.Contexts) {
			t.Fatalf("%d contexts, expected %d", len(page.Rows), len(heap.Contexts))
		}
		var totals analyze.MemProfTotals
		for i, row := range page.Rows {
			want := &heap.Contexts[i]
			totals.Add(&want.MIB)
			if row.Index != i || row.StackID != want.ID || row.Class != analyze.DefaultMemProfThresholds.Class(&want.MIB) {
				t.Fatalf("context %d is %+v", i, row)
			}
			whole, err := p.Context(t.Context(), row.Context, analyze.MemProfThresholds{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(want.MIB, whole.MIB); diff != "" {
				t.Fatalf("context %d (-want +got):\n%s", i, diff)
			}
			var frames memprofdb.Frames
			for f := range heap.Stack(want.Stack) {
				frames = append(frames, memprofdb.Frame{
					Function: &memprofdb.Function{
						FID: f.Function, GUID: f.Function, Name: f.Name, File: whole.Stack[len(frames)].Function.File, Module: -1,
					},
					File: f.File, Line: f.Line, LineOffset: f.LineOffset, Column: f.Column, Discriminator: f.Discriminator,
					Inline: f.Inline,
				})
			}
			if diff := gocmp.Diff(frames, whole.Stack); diff != "" {
				t.Fatalf("context %d (-want +got):\n%s", i, diff)
			}
		}
		if page.Totals != totals {
			t.Errorf("totals are %+v, expected %+v", page.Totals, totals)
		}
		if o := p.Overview; o.MemProfTotals != totals || o.Classes != page.Classes {
			t.Errorf("the overview has %+v", o)
		}
	}
}

// TestHeapQueries holds filters and orders against looking at every row.
func TestHeapQueries(t *testing.T) {
	made := heapProfile(800, 3, memprof.SchemaToTag25)
	cut := map[int]bool{}
	for i := 5; i < len(made.Contexts); i += 9 {
		made.Contexts[i].Truncated, cut[i] = true, true
	}
	p := openHeap(t, made)
	all, err := p.Contexts(t.Context(), memprofdb.Query{Sort: []query.Key{{Column: memprofdb.ColIndex}}, Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	anyFrame := func(r *memprofdb.Row, passes func(f *memprofdb.Frame) bool) bool {
		return slices.ContainsFunc(r.Stack, func(f memprofdb.Frame) bool { return passes(&f) })
	}
	value := func(r *memprofdb.Row, c query.Column) float64 {
		v, _ := r.Value(c)
		return v
	}
	yes, fid := true, all.Rows[7].Stack[0].FID
	for name, c := range map[string]struct {
		filter memprofdb.Filter
		want   func(r *memprofdb.Row) bool
	}{
		"text": {memprofdb.Filter{Text: "SPACE1::func1"}, nil},
		"linkage": {memprofdb.Filter{Text: "func12E"}, func(r *memprofdb.Row) bool {
			return anyFrame(r, func(f *memprofdb.Frame) bool { return strings.Contains(f.Name, "func12E") })
		}},
		"file": {memprofdb.Filter{Text: "dir7/"}, func(r *memprofdb.Row) bool {
			return anyFrame(r, func(f *memprofdb.Frame) bool { return strings.Contains(f.File, "dir7/") })
		}},
		"regexp": {memprofdb.Filter{Regexp: "func[0-9]5Ei$"}, func(r *memprofdb.Row) bool {
			return anyFrame(r, func(f *memprofdb.Frame) bool { return regexp.MustCompile("func[0-9]5Ei$").MatchString(f.Name) })
		}},
		"ignore": {memprofdb.Filter{Ignore: "func[0-9]5Ei$"}, func(r *memprofdb.Row) bool {
			return !anyFrame(r, func(f *memprofdb.Frame) bool { return regexp.MustCompile("func[0-9]5Ei$").MatchString(f.Name) })
		}},
		"path": {
			memprofdb.Filter{Path: "/src/part2/"},
			func(r *memprofdb.Row) bool { return strings.HasPrefix(r.Stack[0].File, "/src/part2/") },
		},
		"owner": {memprofdb.Filter{Owner: &fid}, func(r *memprofdb.Row) bool { return r.Stack[0].FID == fid }},
		"function": {
			memprofdb.Filter{Function: &fid},
			func(r *memprofdb.Row) bool { return anyFrame(r, func(f *memprofdb.Frame) bool { return f.FID == fid }) },
		},
		"site": {
			memprofdb.Filter{Site: &all.Rows[9].Site}, func(r *memprofdb.Row) bool { return r.Site == all.Rows[9].Site },
		},
		"class": {
			memprofdb.Filter{Classes: []analyze.MemProfClass{analyze.MemProfCold, analyze.MemProfHot}},
			func(r *memprofdb.Row) bool { return r.Class == analyze.MemProfCold || r.Class == analyze.MemProfHot },
		},
		"mixed":   {memprofdb.Filter{Mixed: &yes}, func(r *memprofdb.Row) bool { return r.Mixed }},
		"cut off": {memprofdb.Filter{Truncated: &yes}, func(r *memprofdb.Row) bool { return cut[r.Index] }},
		"range": {memprofdb.Filter{Ranges: []query.RealRange{{Column: memprofdb.ColAvgSize, Min: 100, Max: 1000},
			{Column: memprofdb.ColDepth, Min: 3, Max: math.Inf(1)}}}, func(r *memprofdb.Row) bool {
			return value(r, memprofdb.ColAvgSize) >= 100 && value(r, memprofdb.ColAvgSize) <= 1000 &&
				value(r, memprofdb.ColDepth) >= 3
		}},
	} {
		page, err := p.Contexts(t.Context(), memprofdb.Query{Filter: c.filter, Limit: 1000})
		if err != nil {
			t.Fatal(name, err)
		}
		if page.Matching == 0 || page.Matching == page.All {
			t.Errorf("%s selects %d of %d", name, page.Matching, page.All)
		}
		if c.want == nil {
			continue
		}
		want := map[int]bool{}
		for i := range all.Rows {
			if c.want(&all.Rows[i]) {
				want[i] = true
			}
		}
		for _, r := range page.Rows {
			if !want[r.Index] {
				t.Errorf("%s selects context %d", name, r.Index)
			}
		}
		if len(want) != page.Matching {
			t.Errorf("%s selects %d, expected %d", name, page.Matching, len(want))
		}
	}
	for _, column := range memprofdb.Allocations.Sorts() {
		for _, desc := range []bool{false, true} {
			page, err := p.Contexts(t.Context(), memprofdb.Query{Sort: []query.Key{{Column: column, Desc: desc}}, Limit: 1000})
			if err != nil {
				t.Fatal(column, err)
			}
			if !slices.IsSortedFunc(page.Rows, func(a, b memprofdb.Row) int {
				var order int
				switch column {
				case memprofdb.ColName:
					order = strings.Compare(a.Stack[0].Name, b.Stack[0].Name)
				case memprofdb.ColClass:
					order = cmp.Compare(slices.Index(analyze.MemProfClasses[:], a.Class),
						slices.Index(analyze.MemProfClasses[:], b.Class))
				default:
					order = cmp.Compare(value(&a, column), value(&b, column))
				}
				if desc {
					order = -order
				}
				return cmp.Or(order, cmp.Compare(a.Index, b.Index))
			}) {
				t.Errorf("%s, descending %t, is not in order", column, desc)
			}
		}
	}
	_, err = p.Contexts(t.Context(), memprofdb.Query{Sort: []query.Key{{Column: "nonsense", Desc: true}}})
	if _, ok := errors.AsType[*query.ColumnError](err); !ok {
		t.Errorf("an unknown column gives %v", err)
	}
}

// naiveNode is a node of a call tree that was added up context by context.
type naiveNode struct {
	value, self analyze.Sum
	kids        map[string]*naiveNode
}

func (n *naiveNode) add(path []string, v uint64) {
	n.value.Add(v)
	if len(path) == 0 {
		n.self.Add(v)
		return
	}
	kid := n.kids[path[0]]
	if kid == nil {
		kid = &naiveNode{kids: map[string]*naiveNode{}}
		if n.kids == nil {
			n.kids = map[string]*naiveNode{}
		}
		n.kids[path[0]] = kid
	}
	kid.add(path[1:], v)
}

func (n *naiveNode) below() int {
	sum := len(n.kids)
	for _, kid := range n.kids {
		sum += kid.below()
	}
	return sum
}

// paths are the functions of contexts, root first.
func heapPaths(heap *memprof.Profile) [][]string {
	var paths [][]string
	for _, c := range heap.Contexts {
		var path []string
		for f := range heap.Stack(c.Stack) {
			path = append(path, f.Name)
		}
		slices.Reverse(path)
		paths = append(paths, path)
	}
	return paths
}

// TestFlameGraph holds merged trees of every layout against ones that were added
// up context by context: whole, cut, zoomed and filtered.
func TestFlameGraph(t *testing.T) {
	heap := heapProfile(600, 4, memprof.DefaultSchema)
	p := openHeap(t, heap)
	paths := heapPaths(heap)
	middle := paths[0][len(paths[0])/2]
	around := model.GUID(middle)
	for name, c := range map[string]struct {
		query memprofdb.FlameQuery
		path  func(path []string) ([]string, bool)
	}{
		"callees": {memprofdb.FlameQuery{}, func(path []string) ([]string, bool) { return path, true }},
		"callers": {memprofdb.FlameQuery{Query: calltree.Query{Layout: calltree.Callers},
			Weight: memprofdb.WeightAllocations}, func(path []string) ([]string, bool) {
			path = slices.Clone(path)
			slices.Reverse(path)
			return path, true
		}},
		"sandwich": {memprofdb.FlameQuery{Query: calltree.Query{Layout: calltree.Sandwich, Around: around},
			Weight: memprofdb.WeightLifetime}, func(path []string) ([]string, bool) {
			at := slices.Index(path, middle)
			return path[at+1:], at >= 0
		}},
		"focus": {memprofdb.FlameQuery{Filter: memprofdb.Filter{Focus: "func1"}}, func(path []string) ([]string, bool) {
			return path, slices.ContainsFunc(path, func(f string) bool { return strings.Contains(f, "func1") })
		}},
	} {
		root := &naiveNode{}
		for i, path := range paths {
			if path, ok := c.path(path); ok {
				m := &heap.Contexts[i].MIB
				v := m.Get(memprof.TotalSize)
				switch c.query.Weight {
				case memprofdb.WeightAllocations:
					v = m.Get(memprof.AllocCount)
				case memprofdb.WeightLifetime:
					v = analyze.ByteMilliseconds(v, m.Get(memprof.TotalLifetime), m.Get(memprof.AllocCount))
				}
				root.add(path, v)
			}
		}
		q := c.query
		q.Limit = 1 << 20
		whole, err := p.FlameGraph(t.Context(), q)
		if err != nil {
			t.Fatal(name, err)
		}
		if whole.Frames != root.below() && q.Layout != calltree.Sandwich {
			t.Errorf("%s: %d frames, expected %d", name, whole.Frames, root.below())
		}
		checkFlame(t, name, whole.Nodes, 0, root)

		q.Limit = 40
		cut, err := p.FlameGraph(t.Context(), q)
		if err != nil || len(cut.Nodes) != 40 {
			t.Fatalf("%s: %d nodes, %v", name, len(cut.Nodes), err)
		}
		hidden := 0
		for _, n := range cut.Nodes {
			hidden += n.CutFrames
		}
		if hidden+len(cut.Nodes)-1 != root.below() {
			t.Errorf("%s: %d nodes and %d that are cut, of %d", name, len(cut.Nodes)-1, hidden, root.below())
		}
		checkFlame(t, name+" cut", cut.Nodes, 0, root)

		for _, n := range cut.Nodes[20:24] {
			q := q
			q.Zoom = n.ID
			zoomed, err := p.FlameGraph(t.Context(), q)
			if err != nil {
				t.Fatal(name, err)
			}
			if got := zoomed.Nodes[0]; got.ID != n.ID || got.Value != n.Value || got.Frames != n.Frames ||
				len(zoomed.Above) != n.Depth {
				t.Errorf("%s: zoomed to %+v, expected %+v", name, got, n)
			}
			at := root
			for _, above := range append(zoomed.Above[1:], zoomed.Nodes[0]) {
				at = at.kids[above.Function.Name]
				if at.value != above.Value {
					t.Errorf("%s: %s above has %v, expected %v", name, above.Function.Name, above.Value, at.value)
				}
			}
			checkFlame(t, name+" zoomed", zoomed.Nodes, 0, at)
		}
	}
	if _, err := p.FlameGraph(t.Context(),
		memprofdb.FlameQuery{Query: calltree.Query{Zoom: 12345, Limit: 10}}); !errors.Is(err, stored.ErrNoPart) {
		t.Errorf("an unknown node gives %v", err)
	}
	if _, err := p.FlameGraph(t.Context(),
		memprofdb.FlameQuery{Query: calltree.Query{Layout: calltree.Sandwich, Around: 12345, Limit: 10}}); !errors.Is(
		err, stored.ErrNoPart) {
		t.Errorf("an unknown function gives %v", err)
	}
}

// checkFlame holds a node, and those below it that are there, against a naive one.
func checkFlame(t *testing.T, name string, nodes []calltree.Node[memprofdb.Function, analyze.MemProfTotals], at int,
	want *naiveNode) {
	t.Helper()
	n := &nodes[at]
	if n.Value != want.value || n.Self != want.self || n.Children != len(want.kids) || n.Frames != want.below() {
		t.Fatalf("%s: node %d is %+v, expected %v, self %v, %d children, %d frames", name, at, n, want.value, want.self,
			len(want.kids), want.below())
	}
	shown, frames, value := 0, 0, n.Self
	last := want.value
	for i := at + 1; i < len(nodes) && nodes[i].Depth > n.Depth; i++ {
		if nodes[i].Parent != at {
			continue
		}
		if nodes[i].Value.Compare(last) > 0 {
			t.Fatalf("%s: node %d is wider than its neighbour", name, i)
		}
		last = nodes[i].Value
		shown++
		frames += nodes[i].Frames + 1
		value.AddSum(nodes[i].Value)
		kid := want.kids[nodes[i].Function.Name]
		if kid == nil {
			t.Fatalf("%s: node %d is %s", name, i, nodes[i].Function.Name)
		}
		checkFlame(t, name, nodes, i, kid)
	}
	value.AddSum(n.CutValue)
	if shown+n.CutChildren != n.Children || frames+n.CutFrames != n.Frames || value != n.Value {
		t.Fatalf("%s: node %d shows %d children and cuts %d; %+v", name, at, shown, n.CutChildren, n)
	}
}
