package tables

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"proflens/profile/dcpidb"
	"proflens/profile/query"
	"proflens/profile/table"
)

// child is a node of a tree in these tests: its path, of letters.
type child = query.TreeNode

// childrenOf are a node's: the tree is a(b(c d) e) f, of which b, c, d, e are leaves
// but for b.
func childrenOf(of child) []child {
	node := func(path string, kind query.NodeKind) child { return child{Kind: kind, Path: path} }
	switch of.Path {
	case "":
		return []child{node("a", query.Branch), node("f", "file")}
	case "a":
		return []child{node("a/b", query.Branch), node("a/e", "file")}
	case "a/b":
		return []child{node("a/b/c", "file"), node("a/b/d", "file")}
	}
	return nil
}

func spelled(nodes []Nested[child]) string {
	var words []string
	for _, n := range nodes {
		words = append(words, fmt.Sprintf("%s:%d", n.Node.Path, n.Depth))
	}
	return strings.Join(words, " ")
}

// Nodes stand in preorder, as deep as was asked, siblings as they are sorted.
func TestBelow(t *testing.T) {
	backwards := func(nodes []child) { slices.Reverse(nodes) }
	for _, test := range []struct {
		of     string
		levels int
		sort   func([]child)
		want   string
	}{
		{"", 0, nil, ""},
		{"", 1, nil, "a:1 f:1"},
		{"", 2, nil, "a:1 a/b:2 a/e:2 f:1"},
		{"", 9, nil, "a:1 a/b:2 a/b/c:3 a/b/d:3 a/e:2 f:1"},
		{"", 9, backwards, "f:1 a:1 a/e:2 a/b:2 a/b/d:3 a/b/c:3"},
		{"a/b", 1, nil, "a/b/c:1 a/b/d:1"},
		{"f", 9, nil, ""},
	} {
		if got := spelled(Below(childrenOf, child{Path: test.of}, test.levels, test.sort)); got != test.want {
			t.Errorf("%d levels below %q: %s, want %s", test.levels, test.of, got, test.want)
		}
	}
}

// The leaves of a node are those below it, or itself when it is one.
func TestLeaves(t *testing.T) {
	kind := func(n child) query.NodeKind { return n.Kind }
	if got := spelled(leaves(childrenOf, kind, child{Kind: query.Branch}, nil)); got != "a/b/c:3 a/b/d:3 a/e:2 f:1" {
		t.Error(got)
	}
	if got := spelled(leaves(childrenOf, kind, child{Kind: "file", Path: "f"}, nil)); got != "f:0" {
		t.Error(got)
	}
}

func TestPartOf(t *testing.T) {
	for _, test := range []struct {
		part, whole uint64
		want        float64
	}{{0, 0, 0}, {1, 0, 0}, {0, 4, 0}, {1, 4, 0.25}, {1<<64 - 1, 1<<64 - 1, 1}} {
		if got := PartOf(test.part, test.whole); got != test.want {
			t.Errorf("%d of %d is %g", test.part, test.whole, got)
		}
	}
}

// Figures are exact where they are whole, however large, and never in exponents.
func TestDCPIFigures(t *testing.T) {
	for _, test := range []struct {
		value float64
		unit  dcpidb.Unit
		want  string
	}{
		{3, dcpidb.UnitSamples, "3"}, {2.5, dcpidb.UnitSamples, "2.5"}, {1e18, dcpidb.UnitSamples, "1000000000000000000"},
		{1e21, dcpidb.UnitEvents, "1000000000000000000000"},
		{63488.4, dcpidb.UnitEvents, "63488"}, {0.25, dcpidb.UnitSeconds, "0.25"}, {-7, dcpidb.UnitSamples, "-7"},
	} {
		if got := string(table.AppendCell(nil, (&dcpidb.Amount{Of: test.value, Unit: test.unit}).Cell("", nil),
			false)); got != test.want {
			t.Errorf("%g %s is %s", test.value, test.unit, got)
		}
	}
}
