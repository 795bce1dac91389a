package memprofweb_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// Every answer about heap profiles is what the document promises, errors too.
func TestHeapAnswers(t *testing.T) {
	doc := webtest.Document(t)
	l := webtest.Start(t, nil)
	const one = "/api/v1/profiles/{id}"
	for _, name := range []string{
		"mem_cold_v4.profdata", "mem_instr_v3.profdata", "mem_hist.memprofraw", "mem_dap.yaml", "mem_prune.profdata",
	} {
		at := webtest.PutMemProf(l, name)
		for path, queries := range map[string][]string{
			"/allocations": {
				"", "?class=cold,notcold&sort=-lifetime,name", "?q=main&counts=string&limit=2", "?bytes=1..&density=..5",
				"?format=csv", "?format=ndjson", "?cold_lifetime=0&cold_density=1e9", "?class=warm", "?foo=1", "?sort=x",
				"?owner=1",
			},
			"/sites": {
				"", "?by=line&sort=-mixed", "?by=file", "?by=path&depth=3", "?by=path&depth=2&sort=-contexts,name",
				"?by=path&node=nowhere", "?by=function&depth=2", "?by=x", "?format=text",
			},
			"/flamegraph": {
				"", "?w=allocations&layout=callers&limit=3", "?w=lifetime&depth=1", "?layout=sandwich",
				"?layout=sandwich&around=0123456789abcdef", "?z=0123456789abcdef", "?format=folded", "?format=speedscope",
				"?format=folded&z=0123456789abcdef", "?focus=(",
			},
			"/modules": {"", "?format=csv"},
			"/cloning": {
				"", "?cold_lifetime=0&cold_density=1", "?cold_lifetime=0&cold_density=1&sort=-clones,name&counts=string",
				"?hot_hints=true&format=csv", "?sort=x", "?hot_hints=x",
			},
			"/pruned-contexts": {
				"", "?cold_lifetime=0&cold_density=1&limit=3", "?hot_hints=true&hot_density=1&format=ndjson",
				"?site=0123456789abcdef", "?site=x",
			},
			"/call-sites":  {"", "?limit=1"},
			"/data-access": {"", "?counts=string"},
		} {
			for _, query := range queries {
				webtest.Validate(t, doc, one+path, l.Get(at+path+query))
			}
		}
		for _, context := range l.OK(at+"/allocations?limit=3").Column(t, "context") {
			webtest.Validate(t, doc, one+"/allocations/{context}", l.OK(at+"/allocations/"+context))
			webtest.Validate(t, doc, one+"/allocations/{context}",
				l.OK(at+"/allocations/"+context+"?counts=string&hot_density=1"))
		}
		webtest.Validate(t, doc, one+"/allocations/{context}", l.Get(at+"/allocations/none"))
		for _, format := range []string{
			"memprof-yaml", "memprof-dump", "folded?w=allocations", "speedscope", "pprof", "sqlite", "csv",
			"json?table=sites-line", "ndjson?table=allocations&class=notcold&sort=name", "profdata",
		} {
			webtest.Validate(t, doc, one+"/export/{format}", l.Get(at+"/export/"+format))
		}
	}
	counts := l.Put("ir_c.profraw", webtest.File(t, "ir_c.profraw"))["id"].(string)
	webtest.Problem(t, l.Get("/api/v1/profiles/"+counts+"/allocations"), 404, "not_found")
	webtest.Problem(t, l.Get("/api/v1/profiles/"+counts+"/export/folded"), 404, "incompatible")
}

// A raw profile without its executable shows every context by module and address,
// and says which binary is wanted.
func TestHeapWithoutItsBinary(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutMemProf(l, "mem_hist.memprofraw")
	items := l.OK(at + "/allocations").Object(t)["items"].([]any)
	if len(items) == 0 {
		t.Fatal("no contexts")
	}
	first := items[0].(map[string]any)
	frame := first["stack"].([]any)[0].(map[string]any)
	if frame["address"] == nil || frame["module"] == nil || first["guid"] != nil {
		t.Errorf("the frame that allocates is %v of %v", frame, first)
	}
	wanted := 0
	for _, m := range l.OK(at + "/modules").Object(t)["items"].([]any) {
		if m := m.(map[string]any); m["wanted"] == true && m["build_id"] != nil {
			wanted++
		}
	}
	if wanted == 0 {
		t.Error("no binary is wanted")
	}
	whole := l.OK(at + "/allocations/" + first["context"].(string)).Object(t)
	if len(whole["histogram"].([]any)) == 0 {
		t.Errorf("%v has no histogram", whole["context"])
	}
}

// The picture loads what was cut by the id of a node.
func TestFlameGraphLoadsMore(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutMemProf(l, "mem_cold_v4.profdata")
	type graph struct {
		Frames []struct{ Name, Function string }
		Nodes  struct {
			ID                           []string
			Parent, Frame, Hidden, Bytes []int
		}
		Callers, Callees *graph
	}
	get := func(query string) graph {
		var g graph
		if err := json.Unmarshal([]byte(l.OK(at+"/flamegraph"+query).Text()), &g); err != nil {
			t.Fatal(err)
		}
		return g
	}
	whole, cut := get(""), get("?limit=2")
	if len(cut.Nodes.ID) != 2 || cut.Nodes.Hidden[0]+cut.Nodes.Hidden[1]+2 != len(whole.Nodes.ID) ||
		cut.Nodes.Parent[0] != -1 || cut.Nodes.Parent[1] != 0 {
		t.Fatalf("cut to %+v, of %d nodes", cut.Nodes, len(whole.Nodes.ID))
	}
	last := len(whole.Nodes.ID) - 1
	zoomed := get("?z=" + whole.Nodes.ID[last])
	at0 := slices.Index(zoomed.Nodes.ID, whole.Nodes.ID[last])
	if at0 < 1 || zoomed.Nodes.ID[0] != whole.Nodes.ID[0] || zoomed.Nodes.Bytes[at0] != whole.Nodes.Bytes[last] {
		t.Errorf("zoomed to %+v", zoomed.Nodes)
	}
	for i, parent := range zoomed.Nodes.Parent {
		if parent >= i || i > 0 && parent < 0 {
			t.Errorf("node %d is below node %d", i, parent)
		}
	}
	around := whole.Frames[whole.Nodes.Frame[last]].Function
	sandwich := get("?layout=sandwich&around=" + around)
	if sandwich.Callers == nil || sandwich.Callees == nil || sandwich.Callers.Frames[0].Function != around ||
		sandwich.Callers.Nodes.Bytes[0] != sandwich.Callees.Nodes.Bytes[0] {
		t.Errorf("the sandwich is %+v", sandwich)
	}
	folded := strings.TrimSpace(l.OK(at + "/flamegraph?format=folded").Text())
	if export := strings.TrimSpace(l.OK(at + "/export/folded").Text()); len(sorted(folded)) == 0 ||
		!slices.Equal(sorted(folded), sorted(export)) {
		t.Errorf("the tables have\n%s\nthe originals\n%s", folded, export)
	}
}

func sorted(lines string) []string { return slices.Sorted(strings.SplitSeq(lines, "\n")) }
