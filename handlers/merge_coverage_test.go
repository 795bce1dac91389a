package handlers_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"proflens/handlers/site"
	"proflens/handlers/webtest"
)

// rules is a file of a profile with coverage.
func rules(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(webtest.Root(), "decode/covmap/testdata/clang-22/rules", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The sum of profiles with coverage has the program of both, once, and their lines.
func TestMergeKeepsThePrograms(t *testing.T) {
	l := webtest.Start(t, nil)
	put := func() string {
		body, contentType := webtest.Form(t, "file:rules.profdata", rules(t, "rules.profdata"), "file:rules.exe",
			rules(t, "rules.exe"))
		return l.Do("POST", "/api/v1/profiles?wait=5m", body, "Content-Type", contentType).Object(t)["id"].(string)
	}
	a, b := put(), put()
	made := l.Do("POST", "/api/v1/merge", mergeOf(t, "", a, 1, b, 1))
	if made.StatusCode != http.StatusCreated {
		t.Fatal(made.Status, made.Text())
	}
	id := made.Object(t)["id"].(string)
	sum, one := l.OK("/api/v1/profiles/"+id).Object(t), l.OK("/api/v1/profiles/"+a).Object(t)
	if inputs := sum["inputs"].([]any); len(inputs) != 2 {
		t.Errorf("the sum is of %v", inputs)
	}
	lines := func(of map[string]any) any { return of["source_coverage"].(map[string]any)["lines"] }
	if want, got := lines(one).(map[string]any), lines(sum).(map[string]any); got["total"] != want["total"] ||
		got["covered"] != want["covered"] {
		t.Errorf("the sum covers %v, each of two %v", got, want)
	}
	if got := l.OK("/api/v1/profiles/" + id +
		"/coverage/lines?file=rules.c&cols=line,count&format=csv").Text(); !strings.Contains(strings.ReplaceAll(
		got, "\r", ""), "\n8,26\n") {
		t.Errorf("line 8 ran 13 times in each; the sum is %.80q", got)
	}
	page := l.Page(site.CompareURL(a, b)+"?family=coverage", http.StatusOK)
	if said := webtest.Said(page); strings.Contains(said, "cannot be merged") {
		t.Error("a comparison of coverage says that its profiles cannot be merged")
	}
}
