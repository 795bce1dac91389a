package memprofdb_test

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"proflens/analyze"
	"proflens/decode/format"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/names"
	"proflens/profile/calltree"
	"proflens/profile/memprofdb"
	"proflens/profile/profiletest"
	"proflens/profile/query"
	"proflens/profile/table"
)

// sums is what contexts come to when they are added up one by one.
type sums struct {
	contexts, bytes, count, lifetime, touched uint64
	classes                                   [4]uint64 // bytes
	sites                                     map[string]uint64
	lifetimes                                 [6]uint64
}

// plainly adds contexts up by keys: a context may have several, or none.
func plainly(heap *memprof.Profile, keys func(c *memprof.Context, frames []*memprof.Frame) []string) map[string]*sums {
	all := map[string]*sums{}
	for i := range heap.Contexts {
		c := &heap.Contexts[i]
		frames := slices.Collect(heap.Stack(c.Stack))
		for _, key := range keys(c, frames) {
			s := all[key]
			if s == nil {
				s = &sums{sites: map[string]uint64{}}
				all[key] = s
			}
			class := slices.Index(analyze.MemProfClasses[:], analyze.DefaultMemProfThresholds.Class(&c.MIB))
			bytes, count, lifetime := c.MIB.Get(memprof.TotalSize), c.MIB.Get(memprof.AllocCount),
				c.MIB.Get(memprof.TotalLifetime)
			s.contexts, s.bytes, s.count, s.lifetime = s.contexts+1, s.bytes+bytes, s.count+count, s.lifetime+lifetime
			s.classes[class] += bytes
			s.touched += c.MIB.Get(memprof.TotalAccessDensity)
			s.sites[at(frames[0])] |= 1 << class
			step := 0
			for _, end := range memprofdb.LifetimeSteps {
				if float64(lifetime)/float64(count) >= end {
					step++
				}
			}
			s.lifetimes[step] += bytes
		}
	}
	return all
}

func at(f *memprof.Frame) string { return fmt.Sprint(f.Name, f.Line, " ", f.LineOffset, " ", f.Column) }

// mixed are sites that have cold contexts and others.
func (s *sums) mixed() (n int) {
	for _, classes := range s.sites {
		if classes&1 != 0 && classes&6 != 0 {
			n++
		}
	}
	return n
}

func (s *sums) check(t *testing.T, what string, got *memprofdb.SiteTotals) {
	t.Helper()
	if s == nil || got.Contexts != s.contexts || got.Bytes.Lo != s.bytes || got.Allocations.Lo != s.count ||
		got.Lifetime.Lo != s.lifetime {
		t.Errorf("%s comes to %+v, not %+v", what, got, s)
		return
	}
	for i, bytes := range s.classes {
		if got.Classes[i].Bytes.Lo != bytes {
			t.Errorf("%s: %d bytes are %s, not %d", what, got.Classes[i].Bytes.Lo, analyze.MemProfClasses[i], bytes)
		}
	}
}

// Sites of each kind, functions on the way, and the tree of files are what their contexts come to.
func TestSitesAreWhatContextsAddUpTo(t *testing.T) {
	heap := heapProfile(300, 11, memprof.DefaultSchema)
	p := openHeap(t, heap)
	for by, key := range map[memprofdb.SiteBy]func(f *memprof.Frame) string{
		memprofdb.SitesByLine: at, memprofdb.SitesByFunction: func(f *memprof.Frame) string { return f.Name },
		memprofdb.SitesByFile: func(f *memprof.Frame) string { return f.File },
	} {
		want := plainly(heap, func(_ *memprof.Context, frames []*memprof.Frame) []string { return []string{key(frames[0])} })
		find, err := p.FindSites(t.Context(), memprofdb.Filter{}, by)
		if err != nil {
			t.Fatal(err)
		}
		profiletest.Table(t, memprofdb.Sites, find, "name", "mixed")
		page, err := p.Sites(t.Context(), memprofdb.SiteQuery{By: by, Limit: 1000})
		if err != nil || page.Matching != len(want) {
			t.Fatalf("%d sites by %s, not %d; %v", page.Matching, by, len(want), err)
		}
		for i := range page.Rows {
			s := &page.Rows[i]
			f := &memprof.Frame{File: s.File, Line: s.Line, LineOffset: s.LineOffset, Column: s.Column}
			if s.Function != nil {
				f.Name = s.Function.Name
			}
			w := want[key(f)]
			w.check(t, key(f), &s.SiteTotals)
			if s.Sites != len(w.sites) || s.Mixed != w.mixed() || (s.ID != 0) != (by == memprofdb.SitesByLine) {
				t.Errorf("%s has %d sites, %d of them mixed; want %d, %d", key(f), s.Sites, s.Mixed, len(w.sites), w.mixed())
			}
			if by == memprofdb.SitesByLine {
				contexts, err := p.Contexts(t.Context(), memprofdb.Query{Filter: memprofdb.Filter{Site: &s.ID}})
				if err != nil || contexts.Matching != int(w.contexts) || contexts.Totals.Bytes.Lo != w.bytes {
					t.Errorf("site %x has %d contexts, not %d; %v", s.ID, contexts.Matching, w.contexts, err)
				}
			}
		}
	}
	// on the way
	want := plainly(heap, func(_ *memprof.Context, frames []*memprof.Frame) (list []string) {
		for _, f := range frames {
			list = append(list, f.Name)
		}
		slices.Sort(list)
		return slices.Compact(list)
	})
	own := plainly(heap, func(_ *memprof.Context, frames []*memprof.Frame) []string { return []string{frames[0].Name} })
	whole := float64(p.Overview.Bytes.Lo)
	for _, word := range []string{"func1", "space3"} {
		var names []string
		for name := range want {
			if strings.Contains(name, word) {
				names = append(names, name)
			}
		}
		list, all, err := p.Suggest(t.Context(), word, 1000, time.Hour)
		if err != nil || !all || len(list) != len(names) {
			t.Errorf("%d of %d suggestions, %v", len(list), len(names), err)
		}
		for i, f := range list {
			if f.Bytes.Lo != want[f.Name].bytes || math.Abs(f.Share-float64(f.Bytes.Lo)/whole) > 1e-9 ||
				i > 0 && list[i-1].Bytes.Lo < f.Bytes.Lo {
				t.Errorf("%s has %v, %f; not %d", f.Name, f.Bytes, f.Share, want[f.Name].bytes)
			}
			one, err := p.Function(t.Context(), f.FID, 5)
			mine := uint64(0)
			if s := own[f.Name]; s != nil {
				mine = s.bytes
			}
			if err != nil || one.All.Bytes.Lo != want[f.Name].bytes || one.Own.Bytes.Lo != mine {
				t.Errorf("%s: %+v, %+v; want %d and %d, %v", f.Name, one.All, one.Own, want[f.Name].bytes, mine, err)
			}
		}
		if some, _, _ := p.Suggest(t.Context(), word, 2, time.Hour); len(some) != 2 || some[1].FID != list[1].FID {
			t.Errorf("the first two are %+v", some)
		}
		if none, whole, err := p.Suggest(t.Context(), word, 0, time.Hour); len(none) != 0 || whole || err != nil {
			t.Errorf("%d of none, %v, %v", len(none), whole, err)
		}
	}
	// by file and folder
	tree, err := p.Tree(t.Context(), memprofdb.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	var walk func(n memprofdb.Node, depth int)
	walk = func(n memprofdb.Node, depth int) {
		want := plainly(heap, func(_ *memprof.Context, frames []*memprof.Frame) []string {
			if f := frames[0].File; n.Path == "" || f == n.Path || strings.HasPrefix(f, strings.TrimSuffix(n.Path, "/")+"/") {
				return []string{""}
			}
			return nil
		})
		want[""].check(t, n.Path, &n.Sum)
		kids := tree.Children(n)
		if len(kids) == 0 {
			files++
		}
		last := uint64(math.MaxUint64)
		for _, kid := range kids {
			if kid.Sum.Bytes.Lo > last {
				t.Errorf("%s is larger than what stands above it", kid.Path)
			}
			last = kid.Sum.Bytes.Lo
			walk(kid, depth+1)
		}
	}
	walk(tree.Root(), 0)
	leaves := plainly(heap, func(_ *memprof.Context,
		frames []*memprof.Frame) []string {
		return []string{frames[0].File}
	})
	if files != len(leaves) {
		t.Errorf("the tree has %d files, not %d", files, len(leaves))
	}
	rows := profiletest.Records(t, memprofdb.TableOf(tree, tree.Root(), 99, nil, table.Options{Demangle: strings.Clone}))
	if len(rows) < files {
		t.Errorf("%d rows of %d files", len(rows), files)
	}
}

// Blame frames, types and trees of callers are what contexts come to when their stacks are read.
func TestBlameIsWhatStacksSay(t *testing.T) {
	heap := heapProfile(300, 12, memprof.CompleteSchema&^(1<<memprof.AccessHistogram))
	p := openHeap(t, heap)
	l, err := analyze.ParseLibrary("space1::,space2::")
	if err != nil {
		t.Fatal(err)
	}
	library := func(f *memprof.Frame) bool {
		return strings.HasPrefix(names.Demangle(f.Name, names.Short), "space1::") ||
			strings.HasPrefix(names.Demangle(f.Name, names.Short), "space2::")
	}
	blame := func(frames []*memprof.Frame) int {
		return slices.IndexFunc(frames,
			func(f *memprof.Frame) bool { return !library(f) })
	}
	folded, lines, inFrames := map[string]int{}, map[string]map[string]uint64{}, uint64(0)
	want := plainly(heap, func(c *memprof.Context, frames []*memprof.Frame) []string {
		n, name := blame(frames), ""
		if n >= 0 {
			name = frames[n].Name
			if lines[name] == nil {
				lines[name] = map[string]uint64{}
			}
			lines[name][at(frames[n])] += c.MIB.Get(memprof.TotalSize)
		} else {
			n = len(frames)
		}
		if n > 0 {
			inFrames += c.MIB.Get(memprof.TotalSize)
		}
		folded[name] = max(folded[name], n)
		return []string{name}
	})
	page, err := p.Blame(t.Context(), memprofdb.BlameQuery{Library: l, Limit: 1000})
	if err != nil || page.Matching != len(want) || page.InFrames.Lo != inFrames || page.Totals.Bytes != p.Overview.Bytes {
		t.Fatalf("%d blame frames, not %d; %v of %d in the library; %v", page.Matching, len(want), page.InFrames,
			inFrames, err)
	}
	for i := range page.Rows {
		row := &page.Rows[i]
		name := ""
		if row.Function != nil {
			name = row.Function.Name
		}
		w := want[name]
		w.check(t, name, &row.SiteTotals)
		if row.Folded != folded[name] || row.Lines != len(lines[name]) || row.Touched.Lo != w.touched {
			t.Errorf("%q: %d frames folded, %d lines, touched %v; want %d, %d, %d", name, row.Folded, row.Lines, row.Touched,
				folded[name],
				len(lines[name]), w.touched)
		}
		for step, bytes := range w.lifetimes {
			if row.Lifetimes[step].Lo != bytes {
				t.Errorf("%q: %v bytes live to step %d, not %d", name, row.Lifetimes[step], step, bytes)
			}
		}
		if name == "" {
			continue
		}
		widest := at(&memprof.Frame{Name: name, Line: row.Line, LineOffset: row.LineOffset, Column: row.Column})
		if lines[name][widest] != slices.Max(slices.Collect(maps.Values(lines[name]))) {
			t.Errorf("%q: %s is not the line with the most of %v", name, widest, lines[name])
		}
		contexts, err := p.Contexts(t.Context(), memprofdb.Query{Filter: memprofdb.Filter{Blame: &row.Function.FID,
			Library: l}, Own: l,
			Limit: 1000})
		if err != nil || contexts.Matching != int(w.contexts) {
			t.Errorf("%q: %d contexts, not %d; %v", name, contexts.Matching, w.contexts, err)
		}
		users := map[*memprofdb.Function]uint64{}
		for _, c := range contexts.Rows {
			if c.Stack[c.Own].Name != name {
				t.Errorf("%q is at %d of %+v", name, c.Own, c.Stack)
			}
			if c.User != nil {
				users[c.User] += c.MIB.Get(memprof.TotalSize)
			}
		}
		if (row.User == nil) != (len(users) == 0) ||
			row.User != nil && users[row.User] != slices.Max(slices.Collect(maps.Values(users))) {
			t.Errorf("%q allocates for %v, by its contexts for %v", name, row.User, users)
		}
		if i > 3 {
			continue
		}
		tree, err := p.BlameTree(t.Context(), memprofdb.Filter{Blame: &row.Function.FID, Library: l}, memprofdb.Fold{}, 1000)
		if err != nil {
			t.Fatal(err)
		}
		var paths [][]string
		top := uint64(0)
		for n := range tree.Nodes {
			node := &tree.Nodes[n]
			var path []string
			if node.Parent != nil {
				path = slices.Clone(paths[*node.Parent])
			} else {
				top += node.Contexts
			}
			for _, f := range node.Callers {
				path = append(path, f.Name)
			}
			paths = append(paths, path)
			ends := 0
			through := plainly(heap, func(_ *memprof.Context, frames []*memprof.Frame) []string {
				at := blame(frames)
				if at < 0 || frames[at].Name != name {
					return nil
				}
				var callers []string
				for _, f := range frames[at+1:] {
					callers = append(callers, f.Name)
				}
				if len(callers) < len(path) || !slices.Equal(callers[:len(path)], path) {
					return nil
				}
				ends++
				return []string{""}
			})
			if s := through[""]; s == nil || node.Contexts < s.contexts || (node.Context != 0) != (node.Contexts == 1) {
				t.Errorf("%q: callers %v have %+v, not %+v", name, path, node.BlameSums, s)
			}
			if node.Parent != nil && (*node.Parent >= n || node.Depth != tree.Nodes[*node.Parent].Depth+1) ||
				node.Parent == nil && node.Depth != 1 {
				t.Errorf("%q: node %d is at depth %d", name, n, node.Depth)
			}
		}
		if top+uint64(tree.Cut) != w.contexts {
			t.Errorf("%q: %d contexts in the tree and %d cut, of %d", name, top, tree.Cut, w.contexts)
		}
		cut, err := p.BlameTree(t.Context(), memprofdb.Filter{Blame: &row.Function.FID, Library: l}, memprofdb.Fold{}, 1)
		if err != nil || len(cut.Nodes) != min(1, len(tree.Nodes)) {
			t.Errorf("%q: %d nodes of one, %v", name, len(cut.Nodes), err)
		}
	}
	find, err := p.FindBlame(t.Context(), memprofdb.Filter{Library: l}, memprofdb.SitesByBlame)
	if err != nil {
		t.Fatal(err)
	}
	profiletest.Table(t, memprofdb.BlameSites, find, "name", "mixed")
}

// A heap is like itself; two compare the one way as they do the other, and each side has what its
// profile has; a flame graph of both has what each has of a path.
func TestHeapsCompareBothWays(t *testing.T) {
	one, two := heapProfile(200, 13, memprof.DefaultSchema), heapProfile(240, 14, memprof.DefaultSchema)
	a, b := openHeap(t, one), openHeap(t, two)
	l, err := analyze.ParseLibrary("space1::")
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range memprofdb.ComparesBy {
		for _, weight := range memprofdb.Weights {
			q := memprofdb.CompareQuery{By: by, Weight: weight, Library: l}
			compare := func(a, b *memprofdb.Profile) *memprofdb.Compared {
				c, err := memprofdb.Compare(t.Context(), a, b, q)
				if err != nil {
					t.Fatal(err)
				}
				return c
			}
			compare(a, a).Each(func(s *memprofdb.ComparedSite) {
				if s.Change != 0 || s.Base == nil || s.Test == nil || s.Base.Bytes != s.Test.Bytes || s.State != table.Matched {
					t.Errorf("%+v: the same is %+v", q, s)
				}
			})
			there, back := compare(a, b), compare(b, a)
			var sides, other [2]analyze.MemProfTotals
			changes := map[string]int{}
			key := func(s *memprofdb.ComparedSite, change float64, base, test bool) string {
				return fmt.Sprintf("%s %.6g %v %v", s.Name, change, base, test)
			}
			there.Each(func(s *memprofdb.ComparedSite) {
				for i, side := range []*memprofdb.ComparedSide{s.Base, s.Test} {
					if side == nil {
						continue
					}
					sides[i].AddTotals(&side.MemProfTotals)
					if of := weight.Of(&side.MemProfTotals); of.Float64() != []float64{s.InBase, s.InTest}[i] {
						t.Errorf("%+v: side %d of %s weighs %v: %+v", q, i, s.Name, of, s.Move)
					}
					if side.Contexts != int(side.MemProfTotals.Contexts) || side.Objects != side.Allocations ||
						math.Abs(*side.Mean*side.Objects.Float64()-side.Lifetime.Float64()) > 1e-6*side.Lifetime.Float64() {
						t.Errorf("%+v: %+v", q, side)
					}
				}
				if turned := s.State&memprofdb.ClassTurned != 0; turned != (s.Base != nil && s.Test != nil &&
					s.Base.Class != s.Test.Class) {
					t.Errorf("%+v: %s and %s, %b", q, s.Base.Class, s.Test.Class, s.State)
				}
				changes[key(s, s.Change, s.Base != nil, s.Test != nil)]++
			})
			back.Each(func(s *memprofdb.ComparedSite) {
				if s.Base != nil {
					other[1].AddTotals(&s.Base.MemProfTotals)
				}
				if s.Test != nil {
					other[0].AddTotals(&s.Test.MemProfTotals)
				}
				changes[key(s, -s.Change, s.Test != nil, s.Base != nil)]--
			})
			for k, n := range changes {
				if n != 0 && !strings.Contains(k, " -0 ") && !strings.Contains(k, " 0 ") {
					t.Errorf("%+v: %s stands %d times more there than back", q, k, n)
				}
			}
			if sides != other || sides[0] != a.Overview.MemProfTotals || sides[1] != b.Overview.MemProfTotals {
				t.Errorf("%+v: sides come to %+v and %+v", q, sides, other)
			}
			if weight == memprofdb.WeightBytes {
				profiletest.Table(t, q.Declared(), there.Find(table.MoveQuery{Min: table.AllMoves}), "name", "objects")
			}
		}
	}
	flame := memprofdb.FlameQuery{Query: calltree.Query{Limit: 1 << 20}}
	g, err := memprofdb.CompareFlame(t.Context(), a, b, flame)
	if err != nil {
		t.Fatal(err)
	}
	paths := func(heap *memprof.Profile) map[string]*sums {
		return plainly(heap, func(_ *memprof.Context, frames []*memprof.Frame) (list []string) {
			path := ""
			for _, f := range slices.Backward(frames) {
				path += "/" + f.Name
				list = append(list, path)
			}
			return list
		})
	}
	base, test := paths(one), paths(two)
	called := make([]string, len(g.Nodes))
	value := func(s *sums) uint64 {
		if s == nil {
			return 0
		}
		return s.bytes
	}
	for i := range g.Nodes[1:] {
		n := &g.Nodes[i+1]
		called[i+1] = called[n.Parent] + "/" + n.Function.Name
		if n.Base.Bytes.Lo != value(base[called[i+1]]) || n.Totals.Bytes.Lo != value(test[called[i+1]]) {
			t.Errorf("%s has %v and %v, not %d and %d", called[i+1], n.Base.Bytes, n.Totals.Bytes, value(base[called[i+1]]),
				value(test[called[i+1]]))
		}
	}
	maps.Copy(base, test)
	if len(g.Nodes)-1 != len(base) || !g.Known || g.All.Bytes.Lo != a.Overview.Bytes.Lo+b.Overview.Bytes.Lo {
		t.Errorf("%d nodes, not %d; %+v", len(g.Nodes)-1, len(base), g.All)
	}
	less := openHeap(t, heapProfile(20, 15, memprof.DefaultSchema&^(1<<memprof.TotalSize)))
	for _, pair := range [][2]*memprofdb.Profile{{a, less}, {less, a}} {
		g, err := memprofdb.CompareFlame(t.Context(), pair[0], pair[1], flame)
		if err != nil || g.Known {
			t.Errorf("one has no bytes, and they are known; %v", err)
			continue
		}
		sides := [2]analyze.MemProfTotals{pair[0].Overview.MemProfTotals, pair[1].Overview.MemProfTotals}
		if root := &g.Nodes[0]; root.Base.Bytes != sides[0].Bytes || root.Totals.Bytes != sides[1].Bytes ||
			root.Base.Allocations != sides[0].Allocations || root.Totals.Allocations != sides[1].Allocations {
			t.Errorf("together %+v and %+v, want %+v and %+v", root.Base, root.Totals, sides[0], sides[1])
		}
	}
}

// What is read back of real files is what was decoded: modules, static data, recorded calls, and the rows of
// an exported database.
func TestRealFilesComeBack(t *testing.T) {
	p, heap := realHeap(t, "mem_hist.memprofraw")
	frames, contexts := make([]int, len(heap.Modules)), make([]int, len(heap.Modules))
	for i := range heap.Frames {
		if m := heap.Frames[i].Module; m >= 0 {
			frames[m]++
		}
	}
	for _, c := range heap.Distinct() {
		seen := map[int32]bool{}
		for f := range heap.Stack(c.Stack) {
			if f.Module >= 0 && !seen[f.Module] {
				seen[f.Module] = true
				contexts[f.Module]++
			}
		}
	}
	modules, err := p.Modules(t.Context())
	if err != nil || len(modules) != len(heap.Modules) {
		t.Fatal(len(modules), err)
	}
	for i, m := range modules {
		w := &heap.Modules[i]
		if m.Index != i || m.Start != w.Start || m.End != w.End || m.Offset != w.Offset ||
			string(m.BuildID) != string(w.BuildID) ||
			m.Frames != frames[i] || m.Contexts != contexts[i] || m.Wanted() != (frames[i] > 0 && w.File == "" &&
			len(w.BuildID) > 0) {
			t.Errorf("%+v, not %+v with %d frames and %d contexts", m, w, frames[i], contexts[i])
		}
	}
	find, err := p.FindModules(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	profiletest.Table(t, memprofdb.Segments, find, "name", "build_id")

	_, decoded := profiletest.Open(t, filepath.Join("testdata", "mem_hist.memprofraw"))
	again, _ := format.PartOf[*memprof.Profile](decoded)
	db := profiletest.SQLite(t, decoded)
	var rows, cells []string
	for i, c := range again.Distinct() {
		n := 0
		for id := c.Stack; id != memprof.NoStack; id = again.Stacks[id].Caller {
			rows = append(rows, fmt.Sprintf("%d|%d|%d", i+1, n, again.Stacks[id].Frame+1))
			n++
		}
		for n, count := range c.MIB.Histogram {
			cells = append(cells, fmt.Sprintf("%d|%d|%d", i+1, n, int64(count)))
		}
	}
	if got := profiletest.Texts(t, db, `SELECT * FROM mib_frame ORDER BY rowid`); !slices.Equal(got, rows) {
		t.Errorf("%d frames, not %d", len(got), len(rows))
	}
	if got := profiletest.Texts(t, db, `SELECT * FROM mib_histogram ORDER BY rowid`); !slices.Equal(got, cells) {
		t.Errorf("%d counts, not %d", len(got), len(cells))
	}

	for _, name := range []string{"mem_cold_v4.profdata", "mem_instr_v3.profdata"} {
		p, heap := realHeap(t, name)
		find, err := p.FindCallSites(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		profiletest.Table(t, memprofdb.RecordedCalls, find, "function", "callees")
		for _, size := range []int{3, 1000} {
			n := 0
			for _, r := range heap.Records {
				for _, site := range r.CallSites {
					page, err := find(t.Context(), table.Query{RowQuery: query.RowQuery{Offset: n, Limit: size}})
					if err != nil {
						t.Fatal(err)
					}
					row := table.RowsOf[memprofdb.CallSite](&page)[0]
					depth := len(slices.Collect(heap.Stack(site.Stack)))
					if row.Index != n || row.Function.FID != r.Function && row.Function.GUID != r.Function || row.Depth != depth ||
						len(row.Stack.Frames()) != depth || len(row.Callees) != len(site.Callees) {
						t.Errorf("%s: call site %d is %+v, not %+v", name, n, row, site)
					}
					if n++; n > 40 {
						break
					}
				}
			}
		}
	}
	data, _ := realHeap(t, "mem_dap.yaml")
	found, err := data.FindData(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	profiletest.Table(t, memprofdb.DataAccess, found, "symbol", "kind", "class", "locations", "access_count")
	list, err := data.Data(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(list); i++ {
		a, b := &list[i-1], &list[i]
		if a.Cold && !b.Cold || !a.Cold && !b.Cold && a.Accesses < b.Accesses || a.Cold && b.Cold && (bool(a.Literal &&
			!b.Literal) ||
			a.Literal == b.Literal && (a.Symbol > b.Symbol || a.Symbol == b.Symbol && a.Hash > b.Hash)) {
			t.Errorf("%+v stands above %+v", a, b)
		}
	}
	_, dap := realHeap(t, "mem_dap.yaml")
	for _, r := range dap.DataAccess.Records {
		i := slices.IndexFunc(list, func(d memprofdb.Datum) bool {
			return !d.Cold && d.Symbol == r.Symbol && d.Hash == r.Hash && bool(d.Literal) == r.IsString
		})
		if i < 0 || list[i].Accesses != r.AccessCount || len(list[i].Locations) != len(r.Locations) {
			t.Errorf("%+v is not kept", r)
			continue
		}
		for n, l := range r.Locations {
			if list[i].Locations[n] != memprofdb.DataLocation(l) {
				t.Errorf("%+v is declared at %+v", r, list[i].Locations)
			}
		}
	}
}

// Static functions of one name are told apart by the ends of their paths, and by which of them each is in
// one file; what is not known does not tell them apart.
func TestFunctionsOfOneNameHaveAddressesOfTheirOwn(t *testing.T) {
	heap := heapProfile(1, 16, memprof.DefaultSchema)
	guid := model.GUID("twin")
	add := func(file string, line, offset uint32) {
		heap.Frames = append(heap.Frames, memprof.Frame{
			Function: guid, Name: "twin", File: file, Line: line, LineOffset: offset, Module: -1,
		})
		heap.Stacks = append(heap.Stacks, memprof.StackNode{Frame: uint32(len(heap.Frames) - 1), Caller: memprof.NoStack,
			Depth: 1})
		heap.Contexts = append(heap.Contexts, memprof.Context{
			Stack: memprof.StackID(len(heap.Stacks) - 1), ID: uint64(len(heap.Contexts)), MIB: heap.Contexts[0].MIB,
		})
	}
	add("/a/x/f.c", 12, 2) // begins on line 10
	add("/a/x/f.c", 13, 3) // the same
	add("/a/x/f.c", 42, 2) // another of the file
	add("/b/x/f.c", 12, 2)
	add("", 0, 2) // the first
	p := openHeap(t, heap)
	page, err := p.Contexts(t.Context(), memprofdb.Query{Sort: []query.Key{{Column: memprofdb.ColIndex}}, Limit: 99})
	if err != nil {
		t.Fatal(err)
	}
	fids := map[uint64][]int{}
	for _, row := range page.Rows[1:] {
		fids[row.Leaf.FID] = append(fids[row.Leaf.FID], row.Index)
	}
	got := slices.SortedFunc(maps.Values(fids), func(a, b []int) int { return a[0] - b[0] })
	if fmt.Sprint(got) != "[[1 2 5] [3] [4]]" || fids[guid] != nil {
		t.Errorf("%v", got)
	}
	// the same whatever comes first
	slices.Reverse(heap.Contexts[1:])
	other, err := openHeap(t, heap).Contexts(t.Context(), memprofdb.Query{Limit: 99})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range other.Rows {
		if row.Leaf.Name == "twin" && fids[row.Leaf.FID] == nil {
			t.Errorf("%+v has another address", row.Leaf)
		}
	}
	// files without a path, and whole ones
	for path, want := range map[string]int{";": 1, "/a/x/f.c;": 3, "/a/x": 3, "/b/x/f.c;": 1, "/b/x/f;": 0} {
		found, err := p.Contexts(t.Context(), memprofdb.Query{Filter: memprofdb.Filter{Path: path}})
		if err != nil || found.Matching != want {
			t.Errorf("%d contexts are in %q, not %d; %v", found.Matching, path, want, err)
		}
	}
}

// Calls that reach what they reach are ordered and sought by what they show, inlined ones too.
func TestCallsAreATable(t *testing.T) {
	heap := heapProfile(60, 17, memprof.DefaultSchema)
	for i := range heap.Frames {
		heap.Frames[i].Inline = i%4 != 0
	}
	p := openHeap(t, heap)
	find, err := p.FindCalls(t.Context(), analyze.MemProfThresholds{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	profiletest.Table(t, memprofdb.Calls, find, "caller", "callee", "mixed")
	lists := 0
	for _, item := range profiletest.Envelope(t, memprofdb.Calls, find)["items"].([]any) {
		lists = max(lists, len(item.(map[string]any)["inlined"].([]any)))
	}
	if lists < 2 {
		t.Error("no call has several inlined functions")
	}
}

// Two builds agree in functions that are called alike by the ends of their paths; what only one of them
// has is another function, even where its address is taken.
func TestComparedFunctionsOfOneName(t *testing.T) {
	heap := func(files ...string) *memprofdb.Profile {
		h := heapProfile(1, 18, memprof.DefaultSchema)
		block := h.Contexts[0].MIB
		h.Frames, h.Stacks, h.Contexts = nil, nil, nil
		for i, file := range files {
			h.Frames = append(h.Frames, memprof.Frame{
				Function: model.GUID("twin"), Name: "twin", File: file, Line: 12, LineOffset: 2, Module: -1,
			})
			h.Stacks = append(h.Stacks, memprof.StackNode{Frame: uint32(i), Caller: memprof.NoStack, Depth: 1})
			mib := block
			mib.Values = slices.Clone(block.Values)
			mib.Values[1] = uint64(i + 1) // bytes
			h.Contexts = append(h.Contexts, memprof.Context{Stack: memprof.StackID(i), ID: uint64(i), MIB: mib})
		}
		return openHeap(t, h)
	}
	l, err := analyze.ParseLibrary("none::")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		base, test []string
		want       string // base's file, test's file
	}{
		{[]string{"x/f.c"}, []string{"/new/x/f.c"}, "[x/f.c /new/x/f.c]"},
		{[]string{"main.c", "b/f.c"}, []string{"/new/b/f.c", "/new/main.c"}, "[main.c /new/main.c] [b/f.c /new/b/f.c]"},
		{[]string{"a/f.c"}, []string{"a/f.c", "b/g.c"}, "[a/f.c a/f.c] [ b/g.c]"},
	} {
		c, err := memprofdb.Compare(t.Context(), heap(test.base...), heap(test.test...),
			memprofdb.CompareQuery{By: memprofdb.SitesByBlame, Library: l})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		c.Each(func(s *memprofdb.ComparedSite) {
			var files [2]string
			for i, side := range []*memprofdb.ComparedSide{s.Base, s.Test} {
				if side != nil {
					files[i] = side.File
				}
			}
			got = append(got, fmt.Sprint(files))
		})
		want := []string{}
		for pair := range strings.SplitSeq(strings.Trim(test.want, "[]"), "] [") {
			want = append(want, "["+pair+"]")
		}
		slices.Sort(got)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("%v and %v: %q, not %q", test.base, test.test, got, want)
		}
	}
	for path, want := range map[string]int{"main.c;": 1, "main.c": 1, "./ma": 1, "b/": 1, "b/f": 1, "b//f": 1, ";": 0} {
		found, err := heap("./main.c", "b//f.c").Contexts(t.Context(), memprofdb.Query{Filter: memprofdb.Filter{Path: path}})
		if err != nil || found.Matching != want {
			t.Errorf("%d contexts are in %q, not %d; %v", found.Matching, path, want, err)
		}
	}
	// without objects there is no mean
	h := heapProfile(2, 19, memprof.DefaultSchema)
	h.Contexts[0].MIB.Values[0] = 0
	page, err := openHeap(t, h).Contexts(t.Context(), memprofdb.Query{Sort: []query.Key{{Column: memprofdb.ColIndex}},
		Limit: 2})
	if err != nil {
		t.Fatal(err)
	}
	for i, known := range []bool{false, true} {
		if _, ok := page.Rows[i].Value(memprofdb.ColAvgSize); ok != known {
			t.Errorf("context %d has a mean size: %v", i, ok)
		}
	}
}

// Stacks without frames are a site of their own, which stands before all others by name.
func TestStacksWithoutFrames(t *testing.T) {
	heap := heapProfile(30, 20, memprof.DefaultSchema)
	heap.Contexts = append(heap.Contexts, memprof.Context{Stack: memprof.NoStack, ID: 99, MIB: heap.Contexts[0].MIB})
	p := openHeap(t, heap)
	for _, by := range []memprofdb.SiteBy{memprofdb.SitesByFunction, memprofdb.SitesByLine} {
		for _, desc := range []bool{false, true} {
			page, err := p.Sites(t.Context(), memprofdb.SiteQuery{
				By: by, Limit: 100, Sort: []query.Key{{Column: memprofdb.ColName, Desc: desc}},
			})
			if err != nil {
				t.Fatal(err)
			}
			for i := range page.Rows {
				at := i
				if desc {
					at = len(page.Rows) - 1 - i
				}
				if (page.Rows[at].Function == nil) != (i == 0) {
					t.Errorf("by %s, descending %v: row %d is %+v", by, desc, i, page.Rows[at].SitePlace)
				}
			}
		}
	}
	for path, want := range map[string]int{";": 1, "/src/": 30} {
		found, err := p.Contexts(t.Context(), memprofdb.Query{Filter: memprofdb.Filter{Path: path}})
		if err != nil || found.Matching != want {
			t.Errorf("%d contexts are in %q, not %d; %v", found.Matching, path, want, err)
		}
	}
	l, err := analyze.ParseLibrary("none::")
	if err != nil {
		t.Fatal(err)
	}
	page, err := p.Blame(t.Context(), memprofdb.BlameQuery{Library: l, Limit: 100,
		Sort: []query.Key{{Column: memprofdb.ColName}}})
	if err != nil || page.Rows[0].Function != nil || page.Rows[0].Contexts != 1 {
		t.Errorf("%+v, %v", page.Rows[0].SitePlace, err)
	}
	none := uint64(0)
	found, err := p.Contexts(t.Context(), memprofdb.Query{Filter: memprofdb.Filter{Blame: &none, Library: l}})
	if err != nil || found.Matching != 1 {
		t.Errorf("%d contexts have no blame, %v", found.Matching, err)
	}
	lines, err := p.Lines(t.Context())
	if err != nil || lines == nil {
		t.Fatal(err)
	}
	tree, err := p.BlameTree(t.Context(), memprofdb.Filter{Library: l}, memprofdb.Fold{}, 1000)
	if err != nil || len(tree.Nodes) == 0 {
		t.Errorf("%+v, %v", tree, err)
	}
}
