package table

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"proflens/profile/query"
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
	if got := spelled(Leaves(childrenOf, child{Kind: query.Branch}, nil)); got != "a/b/c:3 a/b/d:3 a/e:2 f:1" {
		t.Error(got)
	}
	if got := spelled(Leaves(childrenOf, child{Kind: "file", Path: "f"}, nil)); got != "f:0" {
		t.Error(got)
	}
}
