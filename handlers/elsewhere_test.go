package handlers_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// A function is found in the profiles of its program, whatever they measure, and in no
// profile that is known by its link alone.
func TestAFunctionElsewhere(t *testing.T) {
	l := webtest.Start(t, nil)
	text := func(name, counts string) []byte {
		return []byte(":ir\n" + name + "\n7\n3\n" + counts + "\n")
	}
	put := func(name, query string, data []byte) string {
		object := l.Do("PUT", "/api/v1/profiles/"+name+"?wait=5m&"+query, strings.NewReader(string(data))).Object(t)
		if object["status"] != "ready" {
			t.Fatalf("%s: %v", name, object)
		}
		return object["id"].(string)
	}
	one := put("one.proftext", "project=p&label=commit=c1&visibility=listed", text("main", "1\n0\n9"))
	two := put("two.proftext", "project=p&visibility=listed", text("main", "1\n2\n0"))
	other := put("other.proftext", "project=p&visibility=listed", []byte(":ir\nmain\n8\n1\n5\n"))
	hidden := put("hidden.proftext", "project=p&visibility=unlisted", text("main", "1\n2\n3"))
	put("foreign.proftext", "project=q&visibility=listed", text("main", "1\n2\n3"))
	put("without.proftext", "project=p&visibility=listed", text("f", "1\n2\n3"))
	commit := put("commit.proftext", "project=p&label=commit=c1&visibility=listed", text("main", "4\n4\n4"))

	fid := l.OK("/api/v1/profiles/"+one+"/functions").Column(t, "fid")[0]
	at := "/functions/" + fid
	list := l.OK("/api/v1/profiles/" + one + at + "/elsewhere")
	webtest.Validate(t, webtest.Document(t), "/api/v1/profiles/{id}/functions/{fid}/elsewhere", list)
	if got := list.Column(t, "profile"); !slices.Equal(got, []string{commit, other, two}) {
		t.Errorf("found in %v; want %v: the same commit first, then the newest", got, []string{commit, other, two})
	}
	if got := list.Column(t, "relation"); !slices.Equal(got, []string{"commit", "project", "project"}) {
		t.Errorf("related by %v", got)
	}
	// An unlisted one finds the others, and stays unknown to them.
	if got := l.OK("/api/v1/profiles/"+hidden+at+"/elsewhere").Column(t, "profile"); len(got) != 4 {
		t.Errorf("an unlisted profile finds %v", got)
	}

	page := l.Page("/p/"+one+at, http.StatusOK)
	said := webtest.Said(webtest.ByTestID(t, page, "elsewhere"))
	for _, want := range []string{
		"same commit · same code", "same project · other code", "2 counters above 0", "1 fewer, 1 more", "0 fewer, 1 more",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the page does not say %q: %s", want, said)
		}
	}
	if strings.Contains(said, hidden) || strings.Contains(said, "hidden") {
		t.Error("the page names an unlisted profile")
	}

	// What is cached is not shown once there is another profile.
	tag := l.Get("/p/"+one+at, "Accept", "text/html").Header.Get("ETag")
	if a := l.Get("/p/"+one+at, "Accept", "text/html", "If-None-Match", tag); tag == "" ||
		a.StatusCode != http.StatusNotModified {
		t.Errorf("%q: %s", tag, a.Status)
	}
	put("late.proftext", "project=p&visibility=listed", text("main", "7\n7\n7"))
	if a := l.Get("/p/"+one+at, "Accept", "text/html", "If-None-Match", tag); a.StatusCode != http.StatusOK {
		t.Errorf("with one profile more: %s", a.Status)
	}
}

// The families of one build lead to each other, and keep the search.
func TestTheBuildSwitch(t *testing.T) {
	l := webtest.Start(t, nil)
	put := func(name string, query string) string {
		object := l.Do("PUT", "/api/v1/profiles/"+name+"?wait=5m&visibility=listed&project=p&label=commit=c&"+query,
			strings.NewReader(string(webtest.File(t, name)))).Object(t)
		return object["id"].(string)
	}
	counts := put("ir_c.profraw", "")
	if webtest.HasTestID(l.Page("/p/"+counts, http.StatusOK), "builds") {
		t.Error("a profile alone has a switch")
	}
	heap := webtest.PutMemProf(l, "mem_hist.memprofraw")
	_ = heap // unrelated: no project
	mem := l.Do("PUT", "/api/v1/profiles/heap.yaml?wait=5m&visibility=listed&project=p&label=commit=c",
		strings.NewReader(heapYAML)).Object(t)
	if mem["status"] != "ready" {
		t.Fatalf("%v", mem)
	}
	page := l.Page("/p/"+counts+"/functions?q=main", http.StatusOK)
	if got := webtest.LinkTo(t, webtest.ByTestID(t, page, "builds"),
		"Heap"); got != "/p/"+mem["id"].(string)+"/sites?by=context&q=main" &&
		got != "/p/"+mem["id"].(string)+"/sites?q=main&by=context" {
		t.Errorf("the heap of the build is at %q", got)
	}
}

// The switch stays with the file: from counters by file to its lines.
func TestTheBuildSwitchKeepsTheFile(t *testing.T) {
	l := webtest.Start(t, nil)
	put := func(files ...string) string {
		fields := []string{"project", "p", "visibility", "listed", "label", "commit=c"}
		for _, name := range files {
			fields = append(fields, "file:"+name, rules(t, name))
		}
		body, contentType := webtest.Form(t, fields...)
		return l.Do("POST", "/api/v1/profiles?wait=5m", body, "Content-Type", contentType).Object(t)["id"].(string)
	}
	counts, lines := put("rules.profdata"), put("rules.profdata", "rules.exe")
	for path, want := range map[string]string{
		"/functions?path=rules.c": "/files?file=", "/functions?path=nowhere.c": "/functions?q=nowhere.c", "/tree": "",
	} {
		builds := webtest.ByTestID(t, l.Page("/p/"+counts+path, http.StatusOK), "builds")
		to := webtest.LinkTo(t, builds, "Coverage")
		if !strings.HasPrefix(to, "/p/"+lines+want) {
			t.Errorf("from %s the switch leads to %s", path, to)
		}
		if strings.HasPrefix(want, "/files") && !strings.Contains(webtest.Said(l.Page(to, http.StatusOK)), "rules.c") {
			t.Errorf("%s is of another file", to)
		}
	}
}

const heapYAML = `---
HeapProfileRecords:
  - GUID: 0xdb956436e78dd5fa
    AllocSites:
      - Callstack:
          - { Function: 0xdb956436e78dd5fa, LineOffset: 1, Column: 2, IsInlineFrame: false }
        MemInfoBlock:
          AllocCount: 1
          TotalAccessCount: 2
          MinAccessCount: 2
          MaxAccessCount: 2
          TotalSize: 64
          MinSize: 64
          MaxSize: 64
          AllocTimestamp: 1
          DeallocTimestamp: 2
          TotalLifetime: 1
          MinLifetime: 1
          MaxLifetime: 1
          AllocCpuId: 0
          DeallocCpuId: 0
          NumMigratedCpu: 0
          NumLifetimeOverlaps: 0
          NumSameAllocCpu: 0
          NumSameDeallocCpu: 0
          DataTypeId: 0
          TotalAccessDensity: 1
          MinAccessDensity: 1
          MaxAccessDensity: 1
          TotalLifetimeAccessDensity: 1
          MinLifetimeAccessDensity: 1
          MaxLifetimeAccessDensity: 1
    CallSites: []
...
`
