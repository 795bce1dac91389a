package mipweb_test

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// mipFixture is the part of a fixture's JSON that the API says too.
type mipFixture struct {
	Header struct {
		Types []string `json:"profile_types"`
	}
	Functions []struct {
		Index        int
		Name         *string
		Signature    string
		Size         json.Number
		MergeCount   json.Number `json:"merge_count"`
		CallCount    json.Number `json:"call_count"`
		TimestampSum json.Number `json:"timestamp_sum"`
		RawOffset    json.Number `json:"raw_offset"`
		CFG          string      `json:"cfg_signature"`
		Covered      bool
		Blocks       []struct {
			Offset  int
			Covered bool
		}
	}
	Order []int
}

func readMIPFixture(t testing.TB, path string) (f mipFixture) {
	t.Helper()
	readJSON(t, path, &f)
	return f
}

func readJSON(t testing.TB, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(webtest.Root(), "decode/mip/testdata", path))
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatal(path, err)
	}
}

// The API says of each function and block what the fixture does.
func TestMIPFunctionsInTheAPI(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutMIP(l, webtest.MIPCounts...)
	want := readMIPFixture(t, "merged/counts.mip.json")
	items := l.OK(at + "/functions?sort=index").Object(t)["items"].([]any)
	if len(items) != len(want.Functions) {
		t.Fatalf("%d functions of %d", len(items), len(want.Functions))
	}
	for i, f := range want.Functions {
		got := items[i].(map[string]any)
		for column, value := range map[string]any{
			"name": *f.Name, "signature": f.Signature, "size": f.Size, "merge_count": f.MergeCount, "call_count": f.CallCount,
			"timestamp_sum": f.TimestampSum, "raw_offset": f.RawOffset, "cfg_signature": f.CFG, "executed": f.Covered,
		} {
			if got[column] != value {
				t.Errorf("%s of function %d is %v, want %v", column, i, got[column], value)
			}
		}
		one := l.OK(at + "/functions/" + got["fid"].(string)).Object(t)
		blocks := one["block_values"].([]any)
		if len(blocks) != len(f.Blocks) {
			t.Fatalf("function %d: %d blocks of %d", i, len(blocks), len(f.Blocks))
		}
		for j, b := range f.Blocks {
			block := blocks[j].(map[string]any)
			if block["offset"] != json.Number(strconv.Itoa(b.Offset)) || block["covered"] != b.Covered ||
				block["removed"] != (b.Offset == 0) {
				t.Errorf("block %d of function %d is %v, want %v", j, i, block, b)
			}
		}
		if runs := one["runs"].([]any); json.Number(strconv.Itoa(len(runs))) != f.MergeCount {
			t.Errorf("function %d ran in %d runs, want %s", i, len(runs), f.MergeCount)
		}
	}
	var order []string
	for _, i := range want.Order {
		order = append(order, *want.Functions[i].Name)
	}
	if got := l.OK(at+"/traces?by=function").Column(t, "name"); !slices.Equal(got, order) {
		t.Errorf("order %q, want %q", got, order)
	}
}

func TestMIPQueries(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutMIP(l, webtest.MIPCounts...)
	all := l.OK(at + "/functions").Object(t)
	total := func(query string) int64 {
		t.Helper()
		n, err := l.OK(at + "/functions?" + query).Object(t)["total"].(json.Number).Int64()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	n := total("")
	if executed := total("executed=true"); executed == 0 || executed+total("executed=false") != n {
		t.Errorf("%d executed of %d", executed, n)
	}
	if total("size=100..")+total("size=..99") != n || total("size=100..") == 0 {
		t.Error("the range of sizes is another")
	}
	for run := 1; run <= 3; run++ {
		if all, only := total("run="+strconv.Itoa(run)), total("only-run="+strconv.Itoa(run)); only > all {
			t.Errorf("run %d executed %d, alone %d", run, all, only)
		}
	}
	if total("min-runs=1") != total("merge_count=1..") {
		t.Error("min-runs is no range of merge counts")
	}
	dead := l.OK(at + "/functions?executed=false").Object(t)
	if dead["matching_executed"] != json.Number("0") || dead["matching_covered_bytes"] != json.Number("0") ||
		dead["all"] != all["all"] {
		t.Errorf("sums of what never ran: %v", dead)
	}
	sizes := l.OK(at+"/functions?cols=size&counts=string").Column(t, "size")
	if !slices.IsSortedFunc(sizes, func(a, b string) int {
		x, _ := strconv.Atoi(a)
		y, _ := strconv.Atoi(b)
		return y - x
	}) {
		t.Errorf("sizes %v", sizes)
	}
	for _, query := range []string{
		"functions?class=hot", "functions?run=4", "functions?sort=total", "functions?size=x", "tree?rewrite=a=b",
		"traces?by=trace", "traces?run=9", "runs?x=1",
	} {
		webtest.Problem(t, l.Get(at+"/"+query), 400, "bad_parameter")
	}
	webtest.Problem(t, l.Get(at+"/functions/0000000000000000"), 404, "not_found")
	webtest.Problem(t, l.Get(at+"/tree?path=nowhere"), 404, "not_found")
	other := "/api/v1/profiles/" + l.Put("x.proftext", []byte("main\n1\n1\n1\n"))["id"].(string)
	webtest.Problem(t, l.Get(other+"/runs"), 404, "not_found")
}

// A tree's root has the sums of the table, and coverage every function once.
func TestMIPTreesAddUp(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutMIP(l, "blocks/small.mipmap", "blocks/small.mipraw")
	table := l.OK(at + "/functions?limit=0").Object(t)
	for _, by := range []string{"namespace", "path"} {
		root := l.OK(at + "/tree?by=" + by).Object(t)["node"].(map[string]any)
		if root["bytes"] != table["matching_bytes"] || root["covered_bytes"] != table["matching_covered_bytes"] ||
			root["functions"] != table["total"] {
			t.Errorf("by %s: %v, want %v", by, root, table)
		}
		sum := int64(0)
		for _, leaf := range l.OK(at + "/coverage?limit=1000&by=" + by).Object(t)["items"].([]any) {
			n, _ := leaf.(map[string]any)["bytes"].(json.Number).Int64()
			sum += n
		}
		if strconv.FormatInt(sum, 10) != table["matching_bytes"].(json.Number).String() {
			t.Errorf("by %s: leaves have %d bytes of %v", by, sum, table["matching_bytes"])
		}
	}
}

func TestMIPTableExports(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutMIP(l, webtest.MIPCounts...)
	for _, name := range []string{"", "functions", "dead", "coverage", "coverage-namespace", "order", "runs"} {
		items := l.OK(at + "/export/json?table=" + name).Object(t)["items"].([]any)
		rows, err := csv.NewReader(strings.NewReader(l.OK(at + "/export/csv?table=" + name).Text())).ReadAll()
		if err != nil || len(rows) != len(items)+1 || len(items) == 0 {
			t.Errorf("%s: %d rows of %d, %v", name, len(rows), len(items), err)
		}
		if lines := strings.Count(l.OK(at+"/export/ndjson?table="+name).Text(), "\n"); lines != len(items)+1 {
			t.Errorf("%s: %d lines of %d", name, lines, len(items))
		}
	}
	got := l.OK(at + "/export/csv?executed=false&cols=fid").Text()
	if got != l.OK(at+"/export/csv?table=dead&cols=fid").Text() {
		t.Error("the table of the dead has others")
	}
}

// Answers are what the document promises.
func TestOpenAPIAnswersOfMIP(t *testing.T) {
	doc := webtest.Document(t)
	l := webtest.Start(t, nil)
	const one = "/api/v1/profiles/{id}"
	for _, at := range []string{
		webtest.PutMIP(l, webtest.MIPCounts...), webtest.PutMIP(l, "merged/coverage.mipmap", "merged/coverage.0.mipraw"),
		webtest.PutMIP(l, "names/duplicate.mipmap", "names/duplicate.mipraw"), webtest.PutMIP(l, "variants/no_names.mip"),
	} {
		webtest.Validate(t, doc, one, l.OK(at))
		webtest.Validate(t, doc, one, l.OK(at+"?counts=string"))
		for _, path := range []string{"/functions", "/tree", "/coverage", "/runs", "/traces"} {
			for _, query := range []string{"", "?counts=string", "?format=csv", "?format=ndjson", "?format=text", "?x=y"} {
				webtest.Validate(t, doc, one+path, l.Get(at+path+query))
			}
		}
		for _, fid := range l.OK(at+"/functions?limit=3").Column(t, "fid") {
			webtest.Validate(t, doc, one+"/functions/{fid}", l.OK(at+"/functions/"+fid))
		}
		webtest.Validate(t, doc, one+"/functions/{fid}", l.Get(at+"/functions/x"))
	}
}
