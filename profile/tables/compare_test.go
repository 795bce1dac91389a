package tables_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/profile/instrdb"
	"proflens/profile/query"
	"proflens/profile/table"
)

// counters is a stored profile in LLVM's text form.
func counters(t testing.TB, text string) *instrdb.Profile {
	t.Helper()
	p, err := instrdb.Of(store(t, file("x.proftext", text)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func compared(t testing.TB, base, test string) *instrdb.Comparison {
	t.Helper()
	c, err := instrdb.Compare(t.Context(), counters(t, base), counters(t, test))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const (
	before = ":ir\na.c;same\n1\n1\n64\n\na.c;less\n2\n2\n30\n2\n\na.c;gone\n3\n1\n32\n\nb.c;other\n4\n1\n0\n"
	after  = ":ir\na.c;same\n1\n1\n128\n\na.c;less\n2\n2\n0\n16\n\nb.c;other\n5\n3\n1\n2\n29\n\nb.c;new\n6\n1\n80\n"
)

// A pair has the figures of both sides as they stand in the texts; what one side
// lacks is null.
func TestCompare(t *testing.T) {
	pairs := compared(t, before, after)
	all := instrdb.CompareQuery{MoveQuery: table.MoveQuery{Min: table.AllMoves}}
	changes := instrdb.Pairs.Open(pairs.Find(all), table.Query{}, options, true)
	list := listed(t, changes, 0, -1)
	got := map[string]string{}
	for _, row := range list.Items {
		got[row["name"].(string)] += fmt.Sprintln(row["state"], row["base_total"], row["test_total"], row["base_share"],
			row["test_share"], row["change"], row["base_counters"], row["test_counters"])
	}
	want := map[string]string{
		"a.c;same":  "matched 64 128 0.5 0.5 0 1 1\n",
		"a.c;less":  "matched 32 16 0.25 0.0625 -0.1875 2 2\n",
		"a.c;gone":  "only_base 32 <nil> 0.25 <nil> -0.25 1 <nil>\n",
		"b.c;other": "changed 0 32 0 0.125 0.125 1 3\n",
		"b.c;new":   "only_test <nil> 80 <nil> 0.3125 0.3125 <nil> 1\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if list.more["all"] != json.Number("5") || list.more["matching_base_total"] != json.Number("128") ||
		list.more["matching_test_total"] != json.Number("256") {
		t.Errorf("%v", list.more)
	}
	first, last := list.Items[0], list.Items[len(list.Items)-1]
	if first["name"] != "b.c;new" || last["name"] != "a.c;same" {
		t.Errorf("what changed most is %v, and least %v", first["name"], last["name"])
	}
	if text, _, err := written(t.Context(), changes, table.FormatText, nil, 0, 1); err != nil || len(text) == 0 {
		t.Errorf("%q, %v", text, err)
	}
}

// A tree of what changed has the sums of both sides, node by node.
func TestChangeTree(t *testing.T) {
	tree, err := compared(t, before, after).Tree(t.Context(), query.ByPath, nil)
	if err != nil {
		t.Fatal(err)
	}
	root, _, ok := tree.Find("")
	if !ok {
		t.Fatal("there is no root")
	}
	list := listed(t, tree.Table(root, options), 0, -1)
	got := map[string]string{}
	for _, row := range list.Items {
		got[row["path"].(string)] = fmt.Sprint(row["base_total"], " ", row["test_total"], " ", row["base_functions"], " ",
			row["test_functions"], " ", row["base_executed"], " ", row["test_executed"])
	}
	if diff := cmp.Diff(map[string]string{"a.c": "128 144 3 2 3 2", "b.c": "0 112 1 2 0 2"}, got); diff != "" {
		t.Error(diff)
	}
	if node := list.more["node"].(map[string]any); node["base_total"] != json.Number("128") ||
		node["test_total"] != json.Number("256") || list.more["by"] != "path" {
		t.Errorf("%v", list.more)
	}
}
