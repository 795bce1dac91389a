package query

import (
	"testing"

	"proflens/analyze"
)

// A tree whose chains are kept as one has the nodes of the same tree with all of them: by
// every path, below every node.
func TestChains(t *testing.T) {
	var paths analyze.PathTree
	for _, path := range []string{
		"a/b/c/d/e.c", "a/b/c/d/f.c", "a/b/x.c", "/usr/include/deep/s.h", "/usr/include/deep", "single/one/two/three.c", "",
	} {
		paths.AddAt(analyze.PathParts(path), &analyze.Totals{Functions: 1})
	}
	nodes, _ := paths.Nodes()
	plain := &Tree{By: ByPath, Nodes: nodes}
	var c Chains
	for i := range nodes {
		n := nodes[i]
		n.Path = ""
		if !c.Add(&n) {
			t.Fatalf("node %d does not fit", i)
		}
	}
	if !c.End() || len(c.Nodes) >= len(nodes) {
		t.Fatalf("%d of %d nodes", len(c.Nodes), len(nodes))
	}
	folded := &Tree{By: ByPath, Nodes: c.Nodes}
	same := func(a, b TreeNode) bool {
		a.At, a.Rest, b.At, b.Rest = 0, "", 0, ""
		return a == b
	}
	for _, path := range []string{
		"", plain.noneFilter(), "a", "a/b", "a/b/c", "a/b/c/d", "a/b/c/d/e.c", "a/b/c/d/f.c", "a/b/x.c", "/usr",
		"/usr/include", "/usr/include/deep",
		"/usr/include/deep/s.h", "single", "single/one", "single/one/two", "single/one/two/three.c", "a/b/c/e", "none",
	} {
		want, wantAbove, ok := plain.Find(path)
		got, above, found := folded.Find(path)
		if ok != found || !same(want, got) || len(above) != len(wantAbove) {
			t.Errorf("%q: %+v, %d above; want %+v, %d", path, got, len(above), want, len(wantAbove))
			continue
		}
		for k := range above {
			if !same(above[k], wantAbove[k]) {
				t.Errorf("%q: %+v above; want %+v", path, above[k], wantAbove[k])
			}
		}
		wantKids, kids := plain.Children(want), folded.Children(got)
		if len(kids) != len(wantKids) {
			t.Errorf("%q has %d children, want %d", path, len(kids), len(wantKids))
			continue
		}
		for k := range kids {
			if kids[k].At < 0 {
				wantKids[k].At = kids[k].At
			}
			if !same(kids[k], wantKids[k]) {
				t.Errorf("%q: child %+v, want %+v", path, kids[k], wantKids[k])
			}
		}
	}
	var broken Chains
	broken.Add(&analyze.PathNode{ID: 0, Parent: -1, Last: 2})
	if broken.Add(&analyze.PathNode{ID: 1, Parent: 0, Last: 3}) || (&Chains{}).Add(&analyze.PathNode{ID: 1}) {
		t.Error("nodes that do not fit are taken")
	}
	if broken.End() {
		t.Error("a tree without its last nodes is whole")
	}
}

// The root is a node of its own, however few stand below it.
func TestChainsKeepTheRoot(t *testing.T) {
	var paths analyze.PathTree
	paths.AddAt(analyze.PathParts("a/b/c.c"), &analyze.Totals{Functions: 1})
	nodes, _ := paths.Nodes()
	var c Chains
	for i := range nodes {
		if !c.Add(&nodes[i]) {
			t.Fatalf("node %d does not fit", i)
		}
	}
	if !c.End() || len(c.Nodes) != 2 || c.Nodes[0].Name != "" || c.Nodes[1].Name != "a"+Chained+"b"+Chained+"c.c" ||
		c.Nodes[1].Last != 1 {
		t.Errorf("%+v", c.Nodes)
	}
}
