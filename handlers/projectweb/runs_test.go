package projectweb_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"proflens/handlers/webtest"
)

// put uploads a profile of a build, and returns its ID.
func put(t *testing.T, l *webtest.Server, text []byte, labels string) string {
	t.Helper()
	a := l.Do("PUT", "/api/v1/profiles/a.proftext?wait=1m&project=app&label=branch=main&"+labels, bytes.NewReader(text))
	if a.StatusCode != http.StatusCreated {
		t.Fatal(a.Status, a.Text())
	}
	return a.Object(t)["id"].(string)
}

// What is uploaded is measured by itself: alone, and against the build before as
// llvm-profdata overlap does. testdata/oracles has what that prints.
func TestBuildsAreMeasured(t *testing.T) {
	l := webtest.Start(t, nil)
	l.Measuring(t)
	base := put(t, l, webtest.File(t, "oracles/base.proftext"), "label=commit=aaaa1111&label=date=2024-01-01T00:00:00Z")
	test := put(t, l, webtest.File(t, "oracles/test.proftext"), "label=commit=bbbb2222&label=date=2024-01-02T00:00:00Z")
	points := func(measure string) []any {
		return l.OK("/api/v1/projects/app/trends?measure=" +
			measure).Object(t)["items"].([]any)[0].(map[string]any)["points"].([]any)
	}
	var overlap map[string]any
	for overlap == nil { // a view asks for what is missing, and comes again
		o := l.OK("/api/v1/projects/app/builds/bbbb").Object(t)["figures"].(map[string]any)
		if o["pending"] == false {
			overlap = points("overlap")[1].(map[string]any)
		}
		time.Sleep(20 * time.Millisecond)
	}
	if overlap["profile"] != test || overlap["before"] != base {
		t.Fatalf("measured: %v", overlap)
	}
	if got := fmt.Sprintf("%.3f", number(t,
		overlap["number"])); !strings.Contains(string(webtest.File(t, "oracles/base-test.overlap.txt")),
		"\n  Edge profile overlap: "+got+"%\n") {
		t.Errorf("the overlap is %s %%", got)
	}
	if first := points("overlap")[0].(map[string]any); first["value"] != nil || first["pending"] != false {
		t.Errorf("the first build overlaps with none: %v", first)
	}
}

func number(t *testing.T, v any) float64 {
	t.Helper()
	var n float64
	if _, err := fmt.Sscan(fmt.Sprint(v), &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// The runs of a build agree on some functions; on the page and in its twins stand those
// that one executed and another did not.
func TestRunsDisagree(t *testing.T) {
	l := webtest.Start(t, nil)
	text := webtest.File(t, "oracles/base.proftext")
	first := put(t, l, text, "label=commit=aaaa1111&label=workload=one")
	second := put(t, l, bytes.Replace(text, []byte("gone\n13\n1\n395"), []byte("gone\n13\n1\n0"), 1),
		"label=commit=aaaa1111&label=workload=two")
	const at = "/projects/app/builds/aaaa1111"
	a := l.OK("/api/v1" + at + "/runs?workload=one")
	webtest.Validate(t, webtest.Document(t), "/api/v1/projects/{project}/builds/{commit}/runs", a)
	items := a.Object(t)["items"].([]any)
	if len(items) != 1 {
		t.Fatalf("%d families have runs", len(items))
	}
	runs := items[0].(map[string]any)
	if profiles := runs["profiles"].([]any); len(profiles) != 2 || profiles[0].(map[string]any)["id"] != first ||
		profiles[1].(map[string]any)["id"] != second {
		t.Errorf("the runs are %v", profiles)
	}
	functions := runs["functions"].([]any)
	if len(functions) != 1 {
		t.Fatalf("they disagree on %v", functions)
	}
	if f := functions[0].(map[string]any); f["linkage_name"] != "gone" || f["never_ran_in_one"] != true ||
		f["classes"].([]any)[1] != "never" {
		t.Errorf("they disagree on %v", f)
	}
	csv := l.OK("/api/v1" + at + "/runs?workload=one&kind=instr&format=csv").Text()
	if strings.Count(csv, "\r\n") != 3 || !strings.Contains(csv, ","+second+",never\r\n") {
		t.Errorf("as CSV: %q", csv)
	}
	page := l.Page(at+"?workload=one", http.StatusOK)
	said := webtest.Said(webtest.ByTestID(t, page, "runs-instr"))
	if !strings.Contains(said, "they disagree on 1.") || !strings.Contains(said, "○ never ran") ||
		!strings.Contains(said, "1 one") || !strings.Contains(said, "2 two") {
		t.Errorf("the page says %q", said)
	}
	if profiles := webtest.Said(webtest.ByTestID(t, page, "profiles")); !strings.Contains(profiles, "one") ||
		!strings.Contains(profiles, "two") {
		t.Errorf("profiles of the build: %q", profiles)
	}
	for _, wrong := range []string{"?format=xml", "?limit=0", "?x=1"} {
		webtest.Problem(t, l.Get("/api/v1"+at+"/runs"+wrong), http.StatusBadRequest, "bad_parameter")
	}
}
