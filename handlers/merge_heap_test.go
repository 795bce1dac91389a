package handlers_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// heapSample is a file that the decoder of heap profiles keeps, as it is
// packed there.
func heapSample(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "decode", "memprof", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A sum has the heap profiles of what it was made of, and says so of what it
// cannot have.
func TestMergeHeap(t *testing.T) {
	l := webtest.Start(t, nil)
	heap := l.Put("heap.profdata.gz", heapSample(t, "clang-22_mem_v4_full.profdata.gz"))
	bare := l.Put("bare.memprofraw.gz", heapSample(t, "clang-22_mem_pie.memprofraw.gz"))
	ir := l.Put("ir.profdata", webtest.File(t, "oracles/ir_c.profdata"))
	for _, p := range []map[string]any{heap, bare} {
		if fmt.Sprint(p["kinds"]) != "[memprof]" {
			t.Errorf("%v is of %v", p["name"], p["kinds"])
		}
	}
	id := l.Do("POST", "/api/v1/merge", mergeOf(t, "", ir["id"], 1, heap["id"], 1)).Object(t)["id"]
	if o := l.OK(fmt.Sprint("/api/v1/profiles/", id)).Object(t); fmt.Sprint(o["kinds"]) != "[instr memprof]" {
		t.Errorf("the sum is %v", o["kinds"])
	}
	id = l.Do("POST", "/api/v1/merge", mergeOf(t, "", heap["id"], 1, heap["id"], 1)).Object(t)["id"]
	if o := l.OK(fmt.Sprint("/api/v1/profiles/", id)).Object(t); fmt.Sprint(o["kinds"]) != "[memprof]" ||
		o["describe"] != "LLVM indexed v13, MemProf" {
		t.Errorf("the sum of heap profiles is %v, %v", o["kinds"], o["describe"])
	}
	p := webtest.Problem(t, l.Do("POST", "/api/v1/merge", mergeOf(t, "", bare["id"], 1)), http.StatusUnprocessableEntity,
		"unsymbolized")
	if detail := p["detail"].(string); !strings.Contains(detail, "build ID") {
		t.Errorf("%q does not say what is missing", detail)
	}
	webtest.Problem(t, l.Do("POST", "/api/v1/merge", mergeOf(t, "", bare["id"], 1, heap["id"], 1)),
		http.StatusUnprocessableEntity, "incompatible")
	made := l.Do("POST", "/api/v1/merge", mergeOf(t, "", bare["id"], 1, ir["id"], 1)).Object(t)
	if findings := fmt.Sprint(made["merged"]); !strings.Contains(findings, "merge.heap_left_out") {
		t.Errorf("what was left out is not said: %s", findings)
	}
}

// Downloads says what of a heap profile each version has.
func TestConvertHeap(t *testing.T) {
	doc, l := webtest.Document(t), webtest.Start(t, nil)
	const path = "/api/v1/profiles/{id}/convert"
	profdataPreview := func(p map[string]any, query string) map[string]any {
		a := l.OK(fmt.Sprint("/api/v1/profiles/", p["id"], "/convert", query))
		webtest.Validate(t, doc, path, a)
		return a.Object(t)
	}
	heap := l.Put("heap.profdata.gz", heapSample(t, "clang-22_mem_v4_full.profdata.gz"))
	o := profdataPreview(heap, "")
	if h := o["heap"].(map[string]any); fmt.Sprintf("%v %v %v %v", h["memprof_version"], h["carried"], h["read_since"],
		o["refused"]) != "4 true 22 false" {
		t.Errorf("the default is %v", o["heap"])
	}
	if o := profdataPreview(heap, "?version=11"); o["refused"] != true ||
		o["heap"].(map[string]any)["memprof_version"] != nil {
		t.Errorf("version 11: %v", o["heap"])
	}
	old := l.Put("old.profdata.gz", heapSample(t, "clang-19_mem_v0.profdata.gz"))
	for query, want := range map[string]string{"?version=12": "0 true 19", "?version=13": "3 false <nil>"} {
		o := profdataPreview(old, query)
		if h := o["heap"].(map[string]any); fmt.Sprintf("%v %v %v", h["memprof_version"], h["carried"],
			h["read_until"]) != want {
			t.Errorf("%s: %v", query, h)
		}
		file := l.OK(o["download"].(string))
		back := l.Put("back.profdata", file.Bytes)
		if fmt.Sprint(back["kinds"]) != "[memprof]" || fmt.Sprint(back["status"]) != "ready" {
			t.Errorf("%s: %v", query, back)
		}
	}
	body, kind := webtest.Form(t, "file:p.memprofraw.gz", string(heapSample(t, "clang-22_mem_hist.memprofraw.gz")),
		"file:p.gz", string(heapSample(t, "clang-22_mem_hist.exe.gz")))
	raw := l.Do("POST", "/api/v1/profiles", body, "Content-Type", kind, "Accept", "application/json").Object(t)
	o = profdataPreview(raw, "")
	if h := o["heap"].(map[string]any); fmt.Sprintf("%v %v", h["memprof_version"], h["carried"]) != "3 false" ||
		fmt.Sprint(h["histograms_left_out"]) == "0" {
		t.Errorf("of a raw profile: %v", h)
	}
	page := fmt.Sprint("/p/", raw["id"], "/downloads")
	if said := webtest.Text(webtest.ByTestID(t, l.Page(page, http.StatusOK), "convert-plan")); !strings.Contains(said,
		"MemProf version 3") || !strings.Contains(said, "histograms") {
		t.Errorf("the page says %s", said)
	}
	bare := l.Put("bare.memprofraw.gz", heapSample(t, "clang-22_mem_pie.memprofraw.gz"))
	webtest.Problem(t, l.Get(fmt.Sprint("/api/v1/profiles/", bare["id"], "/convert")), http.StatusUnprocessableEntity,
		"unsymbolized")
	if said := webtest.Text(l.Page(fmt.Sprint("/p/", bare["id"], "/downloads"), http.StatusOK)); !strings.Contains(said,
		"No indexed form yet") || !strings.Contains(said, "build ID") {
		t.Errorf("the page says %s", said)
	}
}

// A program may come later; one of another build is refused, with both ids, and
// the profile stays what it was.
func TestProgramOfHeapProfileComesLater(t *testing.T) {
	l := webtest.Start(t, nil)
	p := l.Put("p.memprofraw.gz", heapSample(t, "clang-22_mem_pie.memprofraw.gz"))
	files := fmt.Sprint("/api/v1/profiles/", p["id"], "/files")
	add := func(name string) map[string]any {
		body, kind := webtest.Form(t, "file:"+name, string(heapSample(t, name)))
		return l.Do("POST", files, body, "Content-Type", kind, "Accept", "application/json",
			"X-Delete-Token", p["delete_token"].(string)).Object(t)
	}
	first := func(o map[string]any) map[string]any { return o["findings"].([]any)[0].(map[string]any) }
	if f := first(p); f["code"] != "memprof.unsymbolized" ||
		!strings.HasPrefix(fmt.Sprint(f["expected"]), "build ID a857983d") {
		t.Errorf("it asks for %v", f)
	}
	if doc := l.Page(fmt.Sprint("/p/", p["id"]), http.StatusOK); strings.Contains(webtest.Text(doc), "Not added: ") {
		t.Error("the pages say that a file was refused, and none was")
	}
	hashes := l.Put("h.proftext", []byte("f\n1\n1\n5\n\nf\n2\n1\n7\n"))
	if doc := l.Page(fmt.Sprint("/p/", hashes["id"]), http.StatusOK); strings.Contains(webtest.Text(doc), "Not added: ") {
		t.Error("a warning about the whole is taken for a refusal")
	}
	refused := add("clang-22_mem_hist.exe.gz")
	f := first(refused)
	if f["code"] != "elf.incompatible" || !strings.HasPrefix(fmt.Sprint(f["expected"]), "build ID a857983d") ||
		!strings.HasPrefix(fmt.Sprint(f["found"]), "build ID ") {
		t.Errorf("another program: %v", f)
	}
	if doc := l.Page(fmt.Sprint("/p/", p["id"], "/diagnostics"), http.StatusOK); !strings.Contains(
		webtest.Text(doc), "Not added: ") {
		t.Error("the pages do not say that it was refused")
	}
	if o := add("clang-22_mem_pie.exe.gz"); strings.Contains(fmt.Sprint(o["findings"]), "memprof.unsymbolized") ||
		strings.Contains(fmt.Sprint(o["findings"]), "elf.incompatible") {
		t.Errorf("its program: %v", o["findings"])
	}
}
