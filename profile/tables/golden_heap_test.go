package tables_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/model"
	"proflens/profile/memprofdb"
)

// The contexts of mem_v4.golden, the largest first, with what llvm-profdata says of
// each; what its schema lacks is null.
func TestAllocationsAsLLVMHasThem(t *testing.T) {
	list := listed(t, opened(t, database(t, "memprof/testdata/mem_v4.profdata"), "allocations", options), 0, -1)
	if len(list.Items) != 2 {
		t.Fatalf("%v", list.Items)
	}
	for i, want := range []map[string]any{
		{
			"bytes": json.Number("1048576"), "count": json.Number("2"), "total_lifetime": json.Number("500000"),
			"function": "0x3333333333333333", "guid": "0x3333333333333333", "line": nil, "linkage_name": nil, "class": "cold",
		},
		{
			"bytes": json.Number("222"), "count": json.Number("111"), "total_lifetime": json.Number("333"),
			"function": "0x1111111111111111", "module": nil, "address": nil, "file": nil, "class": "notcold",
		},
	} {
		for column, value := range want {
			if got, has := list.Items[i][column]; got != value || !has {
				t.Errorf("row %d: %s is %v, want %v", i, column, got, value)
			}
		}
	}
	frames := list.Items[1]["stack"].([]any)
	first, second := frames[0].(map[string]any), frames[1].(map[string]any)
	if len(frames) != 2 || first["function"] != "0x1111111111111111" || first["line_offset"] != json.Number("11") ||
		first["column"] != json.Number("10") || first["inline"] != true ||
		second["function"] != "0x2222222222222222" || second["inline"] != false {
		t.Errorf("%v", frames)
	}
	if _, has := first["file"]; has {
		t.Errorf("a frame has a file that nothing told: %v", first)
	}
	matching := list.more["matching"].(map[string]any)
	if matching["bytes"] != json.Number("1048798") || matching["count"] != json.Number("113") ||
		matching["contexts"] != json.Number("2") || list.more["all"] != json.Number("2") {
		t.Errorf("%v", list.more)
	}
	cold := list.more["classes"].(map[string]any)["cold"].(map[string]any)
	if cold["contexts"] != json.Number("1") || cold["bytes"] != json.Number("1048576") {
		t.Errorf("%v", list.more["classes"])
	}
}

// Sites add up what allocates in one function, and together are all there is.
func TestSitesAddUp(t *testing.T) {
	p := database(t, "memprof/testdata/clang-22_mem_pie.memprofraw", "memprof/testdata/clang-22_mem_pie.exe")
	contexts := rowsOf(t, p, "allocations", "function", "bytes", "count")
	want, byFunction := [3]int64{}, map[any]int64{}
	for _, c := range contexts {
		want[0], want[1], want[2] = want[0]+1, want[1]+integer(t, c["bytes"]), want[2]+integer(t, c["count"])
		byFunction[c["function"]] += integer(t, c["bytes"])
	}
	for _, table := range []string{"sites", "sites-line", "sites-file", "sites-blame"} {
		got, last := [3]int64{}, int64(1)<<62
		for _, row := range rowsOf(t, p, table) {
			bytes := integer(t, row["bytes"])
			got[0], got[1], got[2] = got[0]+integer(t, row["contexts"]), got[1]+bytes, got[2]+integer(t, row["count"])
			if bytes > last {
				t.Errorf("%s: %v has more than the row before it", table, row)
			}
			last = bytes
			if table == "sites" && bytes != byFunction[row["function"]] {
				t.Errorf("%v has %d bytes, its contexts %d", row["function"], bytes, byFunction[row["function"]])
			}
			if (row["line"] == nil || row["column"] == nil) == (table == "sites-line") {
				t.Errorf("%s: line %v, column %v", table, row["line"], row["column"])
			}
		}
		if got != want {
			t.Errorf("%s: contexts, bytes, objects: %v, want %v", table, got, want)
		}
	}
	heap, err := memprofdb.Of(p)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := heap.Tree(t.Context(), memprofdb.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	nodes := listed(t, memprofdb.TableOf(tree, tree.Root(), 1, nil, options), 0, -1)
	sum := int64(0)
	for _, row := range nodes.Items {
		sum += integer(t, row["bytes"])
	}
	if sum != want[1] || integer(t, nodes.more["node"].(map[string]any)["bytes"]) != want[1] {
		t.Errorf("the tree has %d bytes below its root, want %d", sum, want[1])
	}
}

// Calls on the way to allocations are those of mem_v4.golden, by function, with
// what they may call in mem_dap_v4.golden.
func TestCallSitesAsLLVMHasThem(t *testing.T) {
	var got []string
	for _, row := range rowsOf(t, database(t, "memprof/testdata/mem_v4.profdata"), "call-sites") {
		var frames []string
		for _, f := range row["stack"].([]any) {
			frames = append(frames, fmt.Sprint(f.(map[string]any)["function"], ":", f.(map[string]any)["line_offset"]))
		}
		got = append(got, fmt.Sprint(row["guid"], " ", strings.Join(frames, " ")))
	}
	if diff := cmp.Diff([]string{
		fmt.Sprintf("0x%016x 0x%016x:3", model.GUID("main"), model.GUID("main")),
		"0xdeadbeef12345678 0x4444444444444444:44 0x5555555555555555:55",
	}, got); diff != "" {
		t.Error(diff)
	}
	row := rowsOf(t, database(t, "memprof/testdata/mem_dap_v4.profdata"), "call-sites")[0]
	callees := row["callees"].([]any)
	if len(callees) != 2 || callees[0].(map[string]any)["function"] != "0x0000000000000100" ||
		callees[1].(map[string]any)["function"] != "0x0000000000000200" {
		t.Errorf("%v", row)
	}
}

// Static data as mem_dap_v4.golden has it: the most accessed first, then what is
// cold, of which nothing was counted.
func TestDataAccessAsLLVMHasIt(t *testing.T) {
	want := []map[string]any{
		{
			"kind": "string-literal", "cold": false, "access_count": json.Number("200"), "hash": json.Number("101010"),
			"symbol": nil, "demangled": nil, "locations": []any{},
		},
		{"kind": "symbol", "cold": false, "access_count": json.Number("100"), "hash": nil, "symbol": "abcde",
			"demangled": "abcde", "locations": []any{
				map[string]any{"file": "file2.h", "line": json.Number("123")},
				map[string]any{"file": "file3.cpp", "line": json.Number("456")}}},
		{
			"kind": "symbol", "cold": true, "access_count": nil, "hash": nil, "symbol": "bar", "demangled": "bar",
			"locations": []any{},
		},
		{
			"kind": "symbol", "cold": true, "access_count": nil, "hash": nil, "symbol": "foo", "demangled": "foo",
			"locations": []any{},
		},
		{
			"kind": "string-literal", "cold": true, "access_count": nil, "hash": json.Number("999"), "symbol": nil,
			"demangled": nil, "locations": []any{},
		},
		{
			"kind": "string-literal", "cold": true, "access_count": nil, "hash": json.Number("1001"), "symbol": nil,
			"demangled": nil, "locations": []any{},
		},
	}
	if diff := cmp.Diff(want, rowsOf(t, database(t, "memprof/testdata/mem_dap_v4.profdata"), "data-access")); diff != "" {
		t.Error(diff)
	}
}

var segmentLine = regexp.MustCompile(`^    (BuildId|Start|End|Offset): (\S+)$`)

// Modules are the segments that llvm-profdata prints, and the program that was
// given for the first is known.
func TestModulesAsLLVMHasThem(t *testing.T) {
	var want []map[string]string
	lines := bufio.NewScanner(bytes.NewReader(content(t, "memprof/testdata/clang-22_mem_pie.golden")))
	for lines.Scan() {
		if m := segmentLine.FindStringSubmatch(lines.Text()); m != nil {
			if m[1] == "BuildId" {
				want = append(want, map[string]string{})
			}
			want[len(want)-1][m[1]] = strings.ToLower(m[2])
		}
	}
	rows := rowsOf(t, database(t, "memprof/testdata/clang-22_mem_pie.memprofraw",
		"memprof/testdata/clang-22_mem_pie.exe"), "modules")
	if len(rows) != len(want) || len(want) != 8 {
		t.Fatalf("%d modules, want %d", len(rows), len(want))
	}
	for i, row := range rows {
		w := want[i]
		if row["build_id"] != w["BuildId"] || row["start"] != w["Start"] || row["end"] != w["End"] ||
			row["offset"] != w["Offset"] || integer(t, row["index"]) != int64(i) {
			t.Errorf("%v, want %v", row, w)
		}
	}
	if rows[0]["file"] != "clang-22_mem_pie.exe" || rows[0]["wanted"] != false || rows[1]["file"] != nil {
		t.Errorf("%v, %v", rows[0], rows[1])
	}
	if bare := rowsOf(t, database(t, "memprof/testdata/clang-22_mem_pie.memprofraw"),
		"modules"); bare[0]["wanted"] != true {
		t.Errorf("%v", bare[0])
	}
}
