package mipdb_test

import (
	"fmt"
	"slices"
	"testing"

	"proflens/decode/mip"
	"proflens/profile/mipdb"
	"proflens/profile/profiletest"
	"proflens/profile/query"
	"proflens/profile/table"
)

// Blocks and runs of an exported database are those of the functions, and the table of a tree adds them up.
func TestMIPRows(t *testing.T) {
	var paths []string
	for _, path := range mergedRuns {
		paths = append(paths, "../../decode/mip/testdata/"+path)
	}
	p, _ := openMIP(t, mergedRuns...)
	_, decoded := profiletest.Open(t, paths...)
	db := profiletest.SQLite(t, decoded)
	var blocks, runs []string
	all, err := p.Functions(t.Context(), mipdb.Query{Limit: 100, Sort: []query.Key{{Column: mipdb.ColIndex}}})
	if err != nil || len(all.Rows) != 25 {
		t.Fatal(len(all.Rows), err)
	}
	for i := range all.Rows {
		f, err := p.Function(t.Context(), all.Rows[i].FID)
		if err != nil {
			t.Fatal(err)
		}
		for n, b := range f.BlockData {
			blocks = append(blocks, fmt.Sprintf("%d|%d|%d|%d", i+1, n, b.Offset, map[bool]int{true: 1}[b.Covered]))
		}
		for _, r := range f.Runs {
			runs = append(runs, fmt.Sprintf("%d|%d|%d|%d", i+1, r.Run, r.Calls, r.First))
		}
	}
	for name, want := range map[string][]string{"mip_block": blocks, "mip_run_function": runs} {
		if got := profiletest.Texts(t, db, "SELECT * FROM "+name+" ORDER BY 1, 2"); !slices.Equal(got, want) ||
			len(want) < 25 {
			t.Errorf("%s has %d rows, want %d: %q", name, len(got), len(want), got)
		}
	}
	for calls, want := range map[uint32]bool{mip.MaxCalls - 1: false, mip.MaxCalls: true} {
		if r := (mipdb.FunctionRun{Calls: calls}); r.Saturated() != want {
			t.Errorf("%d calls are saturated: %v", calls, !want)
		}
	}
	for runs, want := range map[int][2]bool{0: {false, true}, 1: {true, false}} {
		o := &mipdb.Overview{Runs: runs}
		if got := [2]bool{o.Tells("Runs"), o.Tells("RunsAtLeast")}; got != want {
			t.Errorf("of %d runs it tells %v", runs, got)
		}
	}
	tree, err := p.Tree(t.Context(), query.ByNamespace)
	if err != nil {
		t.Fatal(err)
	}
	for _, node := range tree.Children(tree.Root()) {
		row := profiletest.Records(t, mipdb.TableOf(tree, tree.Root(), []table.Nested[mipdb.Node]{{Node: node}},
			table.Options{}))[0]
		s := node.Sum
		want := fmt.Sprint(s.Functions, s.Executed, s.Functions-s.Executed, s.Bytes, s.ExecutedBytes, s.Bytes-s.ExecutedBytes)
		if got := fmt.Sprint(row["functions"], " ", row["executed"], " ", row["never"], " ", row["bytes"], " ",
			row["executed_bytes"], " ", row["never_bytes"]); got != want {
			t.Errorf("%s has %s, want %s", node.Path, got, want)
		}
	}
}
