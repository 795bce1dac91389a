package handlers_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// fleetFile is a run of one program, or what llvm-profdata makes of several.
func fleetFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(webtest.Root(), "decode/instrprof/sums/testdata/fleet", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The sum of many runs is that of llvm-profdata, and each says what it has in it; a run
// may come more than once.
func TestMergeOfAFleet(t *testing.T) {
	l := webtest.Start(t, nil)
	var inputs []any
	for i := range 10 {
		name := fmt.Sprintf("%d.profraw", i+1)
		inputs = append(inputs, l.Put(name, fleetFile(t, "ir/"+name))["id"], 1)
	}
	made := l.Do("POST", "/api/v1/merge", mergeOf(t, "", inputs...))
	if made.StatusCode != http.StatusCreated {
		t.Fatal(made.Status, made.Text())
	}
	id := made.Object(t)["id"].(string)
	if got := l.OK("/api/v1/profiles/" + id + "/export/proftext").Text(); got != string(fleetFile(t, "ir.proftext")) {
		t.Errorf("the sum is\n%.600s", got)
	}
	merged := l.OK("/api/v1/profiles/" + id).Object(t)["merged"].(map[string]any)["inputs"].([]any)
	third := merged[2].(map[string]any)["contribution"].(map[string]any)
	// of llvm-profdata overlap
	if third["count"] != json.Number("14") || !strings.HasPrefix(fmt.Sprint(third["overlap"]), "0.9588") {
		t.Errorf("the third run has %v in the sum", third)
	}
	page := l.OK("/p/"+id, "Accept", "text/html").Text()
	if strings.Count(page, `data-testid="contribution"`) != 10 {
		t.Error("the overview does not say what each has in the sum")
	}

	var many []any
	for range 40 { // more than the form takes
		many = append(many, inputs...)
	}
	made = l.Do("POST", "/api/v1/merge", mergeOf(t, "", many...))
	if made.StatusCode != http.StatusCreated {
		t.Fatal(made.Status, made.Text())
	}
	page = l.OK("/p/"+made.Object(t)["id"].(string), "Accept", "text/html").Text()
	if strings.Count(page, `data-testid="contribution"`) != 50 || !strings.Contains(page, "350 more") {
		t.Error("the overview of a large merge does not list its first inputs and say how many more there are")
	}
}

// What failed ends a merge, or is left out and named.
func TestMergeLeavesOut(t *testing.T) {
	l := webtest.Start(t, nil)
	good := l.Put("1.profraw", fleetFile(t, "ir/1.profraw"))["id"]
	body, contentType := webtest.Form(t, "file:cut.profraw", string(fleetFile(t, "cut_data.profraw")))
	cut := l.Do("POST", "/api/v1/profiles?wait=5m", body, "Content-Type", contentType).Object(t)["id"]
	if got := l.Do("POST", "/api/v1/merge", mergeOf(t, "", good, 1, cut, 1)); got.StatusCode < 400 {
		t.Errorf("a profile that failed was merged: %s", got.Text())
	}
	made := l.Do("POST", "/api/v1/merge", mergeOf(t, `,"leave_out":true`, cut, 2, good, 1))
	if made.StatusCode != http.StatusCreated {
		t.Fatal(made.Status, made.Text())
	}
	object := l.OK("/api/v1/profiles/" + made.Object(t)["id"].(string)).Object(t)
	var left, has int
	for _, in := range object["merged"].(map[string]any)["inputs"].([]any) {
		in := in.(map[string]any)
		if in["left_out"] != nil && in["id"] == cut && in["contribution"] == nil {
			left++
		}
		if in["contribution"] != nil && in["id"] == good {
			has++
		}
	}
	if left != 1 || has != 1 {
		t.Errorf("it was merged of %v", object["merged"])
	}
	if got := l.Do("POST", "/api/v1/merge", mergeOf(t, `,"leave_out":true`, cut, 1)); got.StatusCode < 400 {
		t.Errorf("nothing was left, and yet: %s", got.Text())
	}
}
