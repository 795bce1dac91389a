package analyze

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/internal/memtest"
)

// draw writes a tree as one line a node: depth as indent, range, path, totals.
func draw(nodes []PathNode) string {
	var b strings.Builder
	for _, n := range nodes {
		name := n.Path
		if n.NoPath {
			name = "(no path)"
		} else if n.Parent < 0 {
			name = "(all)"
		}
		fmt.Fprintf(&b, "%s%d-%d %s: %d/%d functions, %d/%d counters, total %v\n", strings.Repeat("  ", n.Depth),
			n.ID, n.Last, name, n.Executed, n.Functions, n.Counters-n.Zero, n.Counters, n.Total)
	}
	return b.String()
}

func TestPathTree(t *testing.T) {
	var tree PathTree
	ran := &Stats{Total: Sum{Lo: 10}, Max: 7, NumCounters: 4, NumZero: 1}
	never := &Stats{NumCounters: 2, NumZero: 2}
	huge := &Stats{Total: Sum{Lo: 1<<64 - 1}, Max: 1<<64 - 3, NumCounters: 2}
	pseudo := &Stats{NumCounters: 5, Pseudo: true}
	var refs []PathRef
	for _, r := range []struct {
		path string
		s    *Stats
	}{
		{"src/b.c", ran},
		{"", ran},
		{"src/a.c", never},
		{"src/b.c", never},
		{`src\b.c`, huge},
		{"./src//b.c", huge},
		{"/usr/include/x.h", ran},
		{`C:\x\y.cc`, ran},
		{"src", pseudo},
		{"", never},
		{"<unknown>", ran},
		{".", ran},
		{"../up.c", ran},
		{"/", ran},
	} {
		refs = append(refs, tree.Add([]byte(r.path), r.s))
	}
	nodes, ids := tree.Nodes()
	want := `
0-15 (all): 10/14 functions, 28/42 counters, total 36893488147419103310
  1-1 .: 1/1 functions, 3/4 counters, total 10
  2-3 ..: 1/1 functions, 3/4 counters, total 10
    3-3 ../up.c: 1/1 functions, 3/4 counters, total 10
  4-7 /: 2/2 functions, 6/8 counters, total 20
    5-7 /usr: 1/1 functions, 3/4 counters, total 10
      6-7 /usr/include: 1/1 functions, 3/4 counters, total 10
        7-7 /usr/include/x.h: 1/1 functions, 3/4 counters, total 10
  8-8 <unknown>: 1/1 functions, 3/4 counters, total 10
  9-11 C:: 1/1 functions, 3/4 counters, total 10
    10-11 C:/x: 1/1 functions, 3/4 counters, total 10
      11-11 C:/x/y.cc: 1/1 functions, 3/4 counters, total 10
  12-14 src: 3/6 functions, 7/12 counters, total 36893488147419103240
    13-13 src/a.c: 0/1 functions, 0/2 counters, total 0
    14-14 src/b.c: 3/4 functions, 7/10 counters, total 36893488147419103240
  15-15 (no path): 1/2 functions, 3/6 counters, total 10
`
	if diff := cmp.Diff(want[1:], draw(nodes)); diff != "" {
		t.Errorf("tree (-want +got):\n%s", diff)
	}
	for i, path := range map[int]string{
		0: "src/b.c", 4: "src/b.c", 5: "src/b.c", 6: "/usr/include/x.h", 8: "src", 13: "/",
	} {
		if got := nodes[ids[refs[i]]].Path; got != path {
			t.Errorf("record %d is at %q, want %q", i, got, path)
		}
	}
	if !nodes[ids[refs[9]]].NoPath {
		t.Errorf("record 9 is at %+v, want the node without path", nodes[ids[refs[9]]])
	}
}

func TestPathTreeEmpty(t *testing.T) {
	var tree PathTree
	nodes, ids := tree.Nodes()
	if len(nodes) != 1 || nodes[0].Parent != -1 || nodes[0].Last != 0 || len(ids) != 0 {
		t.Errorf("an empty tree is %+v, %v", nodes, ids)
	}
}

func TestPathTreeDepthIsBounded(t *testing.T) {
	var tree PathTree
	deep := strings.Repeat("d/", 10_000) + "f.c"
	ref := tree.Add([]byte(deep), &Stats{})
	nodes, ids := tree.Nodes()
	if n := nodes[ids[ref]]; n.Depth != maxPathDepth || n.Path != deep {
		t.Errorf("the file is at depth %d, path of %d bytes; want %d, %d", n.Depth, len(n.Path), maxPathDepth, len(deep))
	}
}

// FuzzPathTree checks on any paths that the numbering is a preorder and that
// every node is the sum of its children and its own records.
func FuzzPathTree(f *testing.F) {
	f.Add("a/b.c\na/c.c\n\n/usr/x.h\n./a//b.c\nC:\\x\\y")
	f.Add("/\n//\n.\n..\n./.\n\\")
	f.Fuzz(func(t *testing.T, list string) {
		defer memtest.Watch(t, len(list))()
		var tree PathTree
		paths := strings.Split(list, "\n")
		own := make(map[PathRef]uint64)
		for _, p := range paths {
			own[tree.Add([]byte(p), &Stats{NumCounters: 1})]++
		}
		nodes, ids := tree.Nodes()
		sums := make([]uint64, len(nodes))
		for ref, n := range own {
			sums[ids[ref]] += n
		}
		for i := len(nodes) - 1; i >= 0; i-- {
			n := nodes[i]
			if n.ID != i || n.Last < i || n.Last >= len(nodes) || n.Counters != sums[i] || n.Functions != sums[i] {
				t.Fatalf("node %d of %q: %+v, want %d records", i, list, n, sums[i])
			}
			if i == 0 {
				continue
			}
			p := nodes[n.Parent]
			if n.Parent >= i || n.Last > p.Last || n.Depth != p.Depth+1 || n.Depth > maxPathDepth ||
				!strings.HasSuffix(n.Path, n.Name) {
				t.Fatalf("node %d of %q: %+v below %+v", i, list, n, p)
			}
			sums[n.Parent] += sums[i]
		}
	})
}

func BenchmarkPathTree(b *testing.B) {
	const records = 100_000
	paths := make([][]byte, records)
	for i := range paths {
		if i%5 == 0 {
			paths[i] = fmt.Appendf(nil, "/src/lib%d/part%d/file%d.cpp", i%20, i%97, i/50)
		}
	}
	s := &Stats{Total: Sum{Lo: 5}, Max: 3, NumCounters: 4}
	b.ReportAllocs()
	for b.Loop() {
		var tree PathTree
		for _, p := range paths {
			tree.Add(p, s)
		}
		tree.Nodes()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/records, "ns/record")
}
