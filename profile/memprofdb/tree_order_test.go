package memprofdb

import (
	"errors"
	"strings"
	"testing"

	"proflens/analyze"
	"proflens/profile/query"
)

// Nodes of a folder are in the order asked for; what has no name stays last.
func TestNodesInOrder(t *testing.T) {
	node := func(name string, contexts uint64) Node {
		return Node{
			TreeNode: query.TreeNode{Name: name, Path: name},
			Sum:      SiteTotals{MemProfTotals: analyze.MemProfTotals{Contexts: contexts}},
		}
	}
	for keys, want := range map[[2]query.Key]string{
		{}: "b c a .", {{Column: ColName}}: "a b c .", {{Column: ColName, Desc: true}}: "c b a .",
		{{Column: ColContexts, Desc: true}, {Column: ColName}}: "a c b .",
	} {
		nodes := []Node{node("b", 1), node("c", 2), node("a", 2), node("", 9)}
		list := keys[:]
		for len(list) > 0 && list[len(list)-1].Column == "" {
			list = list[:len(list)-1]
		}
		if err := SortNodes(t.Context(), nodes, list); err != nil {
			t.Fatal(err)
		}
		var names []string
		for i := range nodes {
			names = append(names, max(nodes[i].Name, "."))
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%v: %s, want %s", list, got, want)
		}
	}
	if err := SortNodes(t.Context(), []Node{node("a", 1)}, []query.Key{{Column: "mood"}}); !errors.As(
		err, new(*query.ColumnError)) {
		t.Error(err)
	}
}
