package analyze

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// unfolded takes the chains of a tree apart.
func unfolded(nodes []PathNode, mark string) (list []PathNode) {
	first, last := make([]int, len(nodes)), make([]int, len(nodes))
	for i, n := range nodes {
		parent := -1
		if n.Parent >= 0 {
			parent = last[n.Parent]
		}
		first[i] = len(list)
		for _, part := range strings.Split(n.Name, mark) {
			one := PathNode{ID: len(list), Parent: parent, Name: part, NoPath: n.NoPath, Totals: n.Totals}
			if parent >= 0 {
				one.Depth = list[parent].Depth + 1
			}
			parent = len(list)
			list = append(list, one)
		}
		last[i] = parent
	}
	for i, n := range nodes {
		end := len(list) - 1
		if n.Last+1 < len(nodes) {
			end = first[n.Last+1] - 1
		}
		for at := first[i]; at <= last[i]; at++ {
			list[at].Last = end
		}
	}
	return list
}

// A folded tree is that of PathTree, whose chains are taken apart again.
func TestFoldedTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var plain PathTree
		var folded FoldedTree
		for range rng.IntN(30) {
			path := ""
			for range rng.IntN(6) {
				path = JoinPath(path, string(rune('a'+rng.IntN(3))))
			}
			if path != "" && rng.IntN(3) == 0 {
				path = "/" + path
			}
			own := Totals{Functions: 1, Counters: rng.Uint64N(9)}
			plain.AddAt(PathParts(path), &own)
			folded.Add(PathParts(path), "\x00", &own)
		}
		want, _ := plain.Nodes()
		for i := range want {
			want[i].Path = ""
		}
		nodes := folded.Nodes("\x00")
		if diff := cmp.Diff(want, unfolded(nodes, "\x00")); diff != "" {
			t.Fatal(diff)
		}
		for i, n := range nodes[1:] {
			if n.Last == i+2 && nodes[i+1].Last > i+1 && nodes[i+2].Functions == n.Functions {
				t.Errorf("node %d has nothing but the next", n.ID)
			}
		}
	}
}

// However deep paths are, there are no more nodes than twice as many.
func TestFoldedTreeOfDeepPaths(t *testing.T) {
	var folded FoldedTree
	const paths = 1000
	for i := range paths {
		folded.Add(PathParts(fmt.Sprintf("p%d%s", i, strings.Repeat("/x", 60))), "\x00", &Totals{Functions: 1})
	}
	if nodes := folded.Nodes("\x00"); len(nodes) != paths+1 {
		t.Errorf("%d nodes", len(nodes))
	}
}
