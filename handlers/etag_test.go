package handlers_test

import (
	"net/http"
	"testing"

	"proflens/handlers/webtest"
)

func TestETags(t *testing.T) {
	l, path := webtest.StartWith(t, "ir_c.profraw")
	seen := map[string]string{}
	for _, call := range []string{
		"", "?counts=string", "/functions", "/functions?page=2", "/functions?q=lru", "/functions?format=csv",
		"/functions?format=ndjson",
		"/anatomy", "/diagnostics", "/export/proftext", "/original",
	} {
		tag := l.OK(path + call).Header.Get("ETag")
		if len(tag) < 10 || tag[0] != '"' {
			t.Errorf("%s: ETag %q is not strong", call, tag)
		}
		if other, ok := seen[tag]; ok {
			t.Errorf("%s and %s have one ETag", call, other)
		}
		seen[tag] = call
		for _, header := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
			if a := l.Get(path+call, "If-None-Match", header); a.StatusCode != http.StatusNotModified || len(a.Bytes) > 0 {
				t.Errorf("%s, If-None-Match: %s: %s", call, header, a.Status)
			}
		}
		if a := l.OK(path+call, "If-None-Match", `"x"`); a.Header.Get("ETag") != tag {
			t.Errorf("%s: the ETag changed from %s to %s", call, tag, a.Header.Get("ETag"))
		}
	}
	// The order of parameters does not change an answer.
	one, other := l.OK(path+"/functions?q=a&limit=3"), l.OK(path+"/functions?limit=3&q=a")
	if one.Header.Get("ETag") != other.Header.Get("ETag") {
		t.Error("the ETag depends on the order of parameters")
	}
	// What Accept chooses does.
	json, csv := l.OK(path+"/functions"), l.OK(path+"/functions", "Accept", "text/csv")
	if json.Header.Get("ETag") == csv.Header.Get("ETag") {
		t.Error("JSON and CSV have one ETag")
	}
	if a := l.Get(path + "/functions?foo=1"); a.Header.Get("ETag") != "" {
		t.Error("an error has an ETag")
	}
	if a := l.OK("/api/v1/profiles"); a.Header.Get("ETag") != "" {
		t.Error("the list of profiles has an ETag")
	}
}
