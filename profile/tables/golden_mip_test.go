package tables_test

import (
	"encoding/json"
	"strings"
	"testing"

	"proflens/decode/format"
	"proflens/profile/mipdb"
	"proflens/profile/query"
	"proflens/profile/table"
)

func file(name, text string) format.File { return format.File{Name: name, Data: []byte(text)} }

// expectedMIP is what the fixtures' own reader says of a Machine IR Profile.
type expectedMIP struct {
	Functions []map[string]any
	Order     []int
	Totals    map[string]any
}

func expected(t testing.TB, path string) (want expectedMIP) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(content(t, path))))
	d.UseNumber()
	if err := d.Decode(&want); err != nil {
		t.Fatal(err)
	}
	return want
}

// Each function has the figures that the fixture's own reader gives it; what
// coverage does not count is null.
func TestFunctionsOfMachineIR(t *testing.T) {
	for _, path := range []string{
		"merged/counts.mip", "merged/coverage.mip", "numbers/huge.mip", "hand/two_covblk.mip", "variants/no_names.mip",
	} {
		want := expected(t, "mip/testdata/"+path+".json")
		list := listed(t, opened(t, database(t, "mip/testdata/"+path), "functions", options), 0, -1)
		if len(list.Items) != len(want.Functions) {
			t.Fatalf("%s: %d functions", path, len(list.Items))
		}
		counted := want.Functions[0]["timestamp_sum"] != json.Number("0") ||
			want.Totals["call_count"] != want.Totals["covered_functions"]
		for _, row := range list.Items {
			index, err := row["index"].(json.Number).Int64()
			if err != nil {
				t.Fatal(err)
			}
			f := want.Functions[index]
			for _, same := range []string{
				"name_source", "signature", "raw_offset", "function_offset", "size", "cfg_signature", "merge_count",
			} {
				if row[same] != f[same] {
					t.Errorf("%s: function %d: %s is %v, want %v", path, index, same, row[same], f[same])
				}
			}
			if row["executed"] != f["covered"] || row["name"] != f["name"] && f["name_source"] != "none" {
				t.Errorf("%s: function %d: %v; want %v", path, index, row, f)
			}
			blocks, covered, removed := blocksOf(f)
			if blocks != integer(t, row["blocks"]) || covered != integer(t, row["covered_blocks"]) ||
				removed != integer(t, row["removed_blocks"]) {
				t.Errorf("%s: function %d: %v; want %d blocks, %d covered, %d removed", path, index, row, blocks, covered, removed)
			}
			if counted && row["call_count"] != f["call_count"] || !counted && row["call_count"] != nil {
				t.Errorf("%s: function %d: %v calls; want %v", path, index, row["call_count"], f["call_count"])
			}
		}
		for member, total := range map[string]string{
			"matching_executed": "covered_functions", "matching_bytes": "bytes", "matching_calls": "call_count",
		} {
			if list.more[member] != want.Totals[total] && (counted || member != "matching_calls") {
				t.Errorf("%s: %s is %v, want %v", path, member, list.more[member], want.Totals[total])
			}
		}
	}
}

// blocksOf are the blocks of a function, with its entry and without those that the
// linker removed.
func blocksOf(f map[string]any) (blocks, covered, removed int64) {
	blocks = 1
	if f["covered"] == true {
		covered = 1
	}
	for _, b := range f["blocks"].([]any) {
		switch block := b.(map[string]any); {
		case block["offset"] == json.Number("0"):
			removed++
			continue
		case block["covered"] == true:
			covered++
		}
		blocks++
	}
	return blocks, covered, removed
}

func integer(t testing.TB, v any) int64 {
	t.Helper()
	n, err := v.(json.Number).Int64()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// What never ran is dead, all else is not; the largest come first.
func TestDeadFunctions(t *testing.T) {
	want := expected(t, "mip/testdata/merged/counts.mip.json")
	dead := map[any]bool{}
	for _, f := range want.Functions {
		if f["covered"] == false {
			dead[f["name"]] = true
		}
	}
	last := int64(1) << 32
	rows := rowsOf(t, database(t, "mip/testdata/merged/counts.mip"), "dead")
	for _, row := range rows {
		if size := integer(t, row["size"]); !dead[row["name"]] || row["executed"] != false || size > last {
			t.Errorf("%v", row)
		} else {
			last = size
		}
	}
	if len(rows) != len(dead) || len(dead) == 0 {
		t.Errorf("%d rows, %d dead functions", len(rows), len(dead))
	}
}

func TestOrderOfMachineIR(t *testing.T) {
	want := expected(t, "mip/testdata/merged/counts.mip.json")
	rows := rowsOf(t, database(t, "mip/testdata/merged/counts.mip"), "order")
	if len(rows) != len(want.Order) {
		t.Fatalf("%d functions ran, want %d", len(rows), len(want.Order))
	}
	for place, index := range want.Order {
		if f := want.Functions[index]; rows[place]["name"] != f["name"] ||
			integer(t, rows[place]["place"]) != int64(place) || rows[place]["merge_count"] != f["merge_count"] {
			t.Errorf("place %d: %v, want %v", place, rows[place], f)
		}
	}
}

// Each run has executed what its own reader says, and together what all did.
func TestRunsOfMachineIR(t *testing.T) {
	p := database(t, "mip/testdata/merged/counts.mipmap", "mip/testdata/merged/counts.0.mipraw",
		"mip/testdata/merged/counts.1.mipraw", "mip/testdata/merged/counts.2.mipraw")
	rows := rowsOf(t, p, "runs")
	if len(rows) != 3 {
		t.Fatalf("%d runs", len(rows))
	}
	for i, row := range rows {
		name := "counts." + string(rune('0'+i)) + ".mipraw"
		want := expected(t, "mip/testdata/merged/"+name+".json")
		if row["file"] != name || row["functions"] != want.Totals["covered_functions"] ||
			integer(t, row["run"]) != int64(i+1) {
			t.Errorf("%v, want %v", row, want.Totals)
		}
	}
	all, covered := expected(t, "mip/testdata/merged/counts.mip.json"), int64(0)
	for _, f := range all.Functions {
		_, some, _ := blocksOf(f)
		covered += some
	}
	if last := rows[2]; last["sum_functions"] != all.Totals["covered_functions"] ||
		integer(t, last["sum_blocks"]) != covered {
		t.Errorf("%v, want %v and %d blocks", last, all.Totals, covered)
	}
}

// Whatever functions are gathered by, together they are all.
func TestCoverageOfMachineIR(t *testing.T) {
	want := expected(t, "mip/testdata/merged/coverage.mip.json")
	functions, totals := want.Functions, want.Totals
	p := database(t, "mip/testdata/merged/coverage.mip")
	for _, table := range []string{"coverage", "coverage-namespace"} {
		sums := map[string]int64{}
		for _, row := range rowsOf(t, p, table) {
			for _, column := range []string{"functions", "executed", "never", "bytes", "blocks", "covered_blocks"} {
				sums[column] += integer(t, row[column])
			}
		}
		var blocks, covered int64
		for _, f := range functions {
			all, some, _ := blocksOf(f)
			blocks, covered = blocks+all, covered+some
		}
		if sums["functions"] != integer(t, totals["functions"]) ||
			sums["executed"] != integer(t, totals["covered_functions"]) || sums["executed"]+sums["never"] != sums["functions"] ||
			sums["bytes"] != integer(t, totals["bytes"]) || sums["blocks"] != blocks || sums["covered_blocks"] != covered {
			t.Errorf("%s: %v, want %v", table, sums, totals)
		}
	}
}

// A tree down to its leaves has each function once, and a node as much as those
// right below it.
func TestTreeOfMachineIR(t *testing.T) {
	m, err := mipdb.Of(database(t, "mip/testdata/merged/coverage.mip"))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := m.Tree(t.Context(), query.ByNamespace)
	if err != nil {
		t.Fatal(err)
	}
	root := tree.Root()
	nodes := table.Below(tree.Children, root, 2, nil)
	list := listed(t, mipdb.TableOf(tree, root, nodes, options), 0, -1)
	var first, second int64
	for i, row := range list.Items {
		switch integer(t, row["depth"]) {
		case 1:
			first += integer(t, row["functions"])
			if i > 0 && second > first {
				t.Errorf("below the nodes before %v are more functions than in them", row["path"])
			}
		case 2:
			second += integer(t, row["functions"])
		default:
			t.Errorf("%v is deeper than was asked", row)
		}
	}
	if node := list.more["node"].(map[string]any); first != 25 || integer(t, node["functions"]) != 25 ||
		list.more["by"] != "namespace" {
		t.Errorf("%d functions, %v", first, list.more)
	}
}
