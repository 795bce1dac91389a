package query

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"proflens/analyze"
)

// treeOf is the tree of paths, each of a function with a total.
func treeOf(by TreeBy, totals map[string]uint64) *Tree {
	var paths analyze.PathTree
	t := &Tree{By: by}
	for path, n := range totals {
		own := analyze.Totals{Functions: 1, Total: analyze.Sum{Lo: n}}
		parts := analyze.PathParts(path)
		if by == ByNamespace {
			parts = strings.Split(path, ScopeSeparator)
		}
		paths.AddAt(parts, &own)
		t.Total.AddSum(own.Total)
	}
	t.Nodes, _ = paths.Nodes()
	return t
}

func kids(t *Tree, path string) (list []string) {
	node, _, ok := t.Find(path)
	if !ok {
		return []string{"there is none"}
	}
	for _, n := range t.Children(node) {
		list = append(list, fmt.Sprintf("%s %s %s %d %.2f", n.Kind, n.Name, n.Filter, n.Functions, n.Share))
	}
	return list
}

func TestTree(t *testing.T) {
	tree := treeOf(ByPath, map[string]uint64{"lib/a.c": 10, "lib/b.c": 30, "lib/deep/one.c": 20, "main.c": 35,
		"lib": 4, "": 1})
	for _, test := range []struct {
		path string
		want []string
	}{
		{"", []string{"branch lib lib 4 0.64", "leaf main.c main.c; 1 0.35", "none  ; 1 0.01"}},
		{"lib", []string{"leaf b.c lib/b.c; 1 0.30", "leaf deep/one.c lib/deep/one.c; 1 0.20",
			"leaf a.c lib/a.c; 1 0.10", "direct  lib; 1 0.04"}},
		{"lib/", []string{"leaf b.c lib/b.c; 1 0.30", "leaf deep/one.c lib/deep/one.c; 1 0.20",
			"leaf a.c lib/a.c; 1 0.10", "direct  lib; 1 0.04"}},
		{"lib/deep", []string{"leaf one.c lib/deep/one.c; 1 0.20"}},
		{"lib/deep/one.c", nil},
		{"li", []string{"there is none"}},
		{"lib/deep/one.c/more", []string{"there is none"}},
	} {
		if got := kids(tree, test.path); !slices.Equal(got, test.want) {
			t.Errorf("below %q:\n%q, want\n%q", test.path, got, test.want)
		}
	}
	none, above, ok := tree.Find(";")
	if !ok || none.Kind != None || len(above) != 0 {
		t.Errorf("what has no path: %+v, %v", none, ok)
	}
	if _, above, _ := tree.Find("lib/deep/one.c"); len(above) != 2 || above[0].Path != "lib" ||
		above[1].Path != "lib/deep" {
		t.Errorf("above: %+v", above)
	}
	if _, _, ok := treeOf(ByPath, map[string]uint64{"a.c": 1}).Find(";"); ok {
		t.Error("a node without path where each has one")
	}
}

func TestTreeOfNamespaces(t *testing.T) {
	tree := treeOf(ByNamespace, map[string]uint64{"std::chrono": 1, "std": 2, "app": 7})
	want := []string{"leaf app app 1 0.70", "branch std std 2 0.30"}
	if got := kids(tree, ""); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	want = []string{"leaf chrono std::chrono 1 0.10", "direct  std:: 1 0.20"}
	for _, path := range []string{"std", "std::"} {
		if got := kids(tree, path); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

// A node and all below, or with an end behind what is directly in it.
func TestWithin(t *testing.T) {
	tree := treeOf(ByNamespace, map[string]uint64{"a::x": 1, "a::y": 1, "a": 1, "b": 1})
	names := func(path string) (list []string) {
		within := tree.Within(path)
		for i := range tree.Nodes {
			if within(uint32(i)) {
				list = append(list, tree.Nodes[i].Name)
			}
		}
		return list
	}
	for path, want := range map[string][]string{"a": {"a", "x", "y"}, "a::": {"a"}, "b": {"b"}, "a::y": {"y"},
		"c": nil} {
		if got := names(path); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

// What a file says of its tree is believed as far as it fits.
func TestFits(t *testing.T) {
	tree := &Tree{Nodes: []analyze.PathNode{{ID: 0, Parent: -1, Last: 2}}}
	for _, test := range []struct {
		node analyze.PathNode
		fits bool
	}{
		{analyze.PathNode{ID: 1, Parent: 0, Last: 2}, true},
		{analyze.PathNode{ID: 1, Parent: 0, Last: 1}, true},
		{analyze.PathNode{ID: 2, Parent: 0, Last: 2}, false},
		{analyze.PathNode{ID: 1, Parent: 1, Last: 2}, false},
		{analyze.PathNode{ID: 1, Parent: 0, Last: 0}, false},
		{analyze.PathNode{ID: 1, Parent: -1, Last: 2}, false},
		{analyze.PathNode{ID: 1, Parent: 0, Last: 3}, false},
	} {
		if got := tree.Fits(&test.node); got != test.fits {
			t.Errorf("%+v: %v", test.node, got)
		}
	}
	if tree.Whole() || (&Tree{}).Whole() || !(&Tree{Nodes: []analyze.PathNode{{Last: 0}}}).Whole() {
		t.Error("a tree that lacks nodes is whole, or a whole one is not")
	}
	if !(&Tree{}).Fits(&analyze.PathNode{ID: 0, Parent: -1}) || (&Tree{}).Fits(&analyze.PathNode{ID: 0, Parent: 0}) {
		t.Error("a root has nothing above it")
	}
	if got := (&Tree{Nodes: []analyze.PathNode{{Name: "abc"}, {Name: "d"}}}).Bytes(); got != 2*NodeBytes+4 {
		t.Errorf("%d bytes", got)
	}
}

// weight is the totals of a family.
type weight struct{ n int }

func (w *weight) Sub(part *weight) { w.n -= part.n }

func TestTreeOf(t *testing.T) {
	tree := TreeOf[weight, *weight]{
		Tree:   *treeOf(ByPath, map[string]uint64{"a/x.c": 1, "a/y.c": 1, "a": 1, "": 1}),
		Larger: func(a, b *weight) int { return b.n - a.n },
	}
	own := map[string]int{"": 20, "a": 15, "x.c": 3, "y.c": 8}
	for _, n := range tree.Nodes {
		sum := weight{own[n.Name]}
		if n.NoPath {
			sum.n = 5
		}
		tree.Sums = append(tree.Sums, sum)
	}
	var got []string
	node, above, ok := tree.Find("a")
	if !ok || node.Sum.n != 15 || len(above) != 0 || tree.Root().Sum.n != 20 {
		t.Fatalf("%+v, %v", node, ok)
	}
	for _, of := range []NodeOf[weight]{tree.Root(), node} {
		for _, n := range tree.Children(of) {
			got = append(got, fmt.Sprint(n.Kind, " ", n.Name, " ", n.Sum.n))
		}
	}
	want := []string{"branch a 15", "none  5", "leaf y.c 8", "leaf x.c 3", "direct  4"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if _, above, ok := tree.Find("a/x.c"); !ok || len(above) != 1 || above[0].Sum.n != 15 {
		t.Errorf("%+v", above)
	}
	if _, _, ok := tree.Find("b"); ok {
		t.Error("there is no b")
	}
}

func TestShare(t *testing.T) {
	if Share(analyze.Sum{Lo: 1}, analyze.Sum{}) != 0 || Share(analyze.Sum{Lo: 1}, analyze.Sum{Lo: 4}) != 0.25 {
		t.Error("a share is wrong")
	}
}
