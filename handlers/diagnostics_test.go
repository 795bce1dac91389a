package handlers

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/decode/model"
)

func httpRequest() *http.Request { return httptest.NewRequest("GET", "/p/p/raw", nil) }

func slicesByOffset(list []model.Section) {
	slices.SortStableFunc(list, func(a, b model.Section) int {
		switch {
		case a.Offset < b.Offset:
			return -1
		case a.Offset > b.Offset:
			return 1
		}
		return 0
	})
}

func findingsOn(doc *html.Node) []*html.Node {
	return all(doc, func(n *html.Node) bool { return attr(n, "data-testid") == "finding" })
}

// TestDiagnosticsPage: the page says of every finding what the API does, worst
// first, and the tab counts them.
func TestDiagnosticsPage(t *testing.T) {
	l := startLive(t, nil)
	for name, data := range map[string][]byte{"same_name_hashes.proftext": sample(t, "same_name_hashes.proftext"), "cut.profraw": sample(t, "ir_c.profraw")[:900], "text.txt": []byte("a note\n")} {
		id := l.upload(name, data)
		items := l.ok(apiOf(id) + "/diagnostics").object(t)["items"].([]any)
		doc := l.openPage(pageOf(id)+"/diagnostics", http.StatusOK)
		shown := findingsOn(doc)
		if len(shown) != len(items) || len(items) == 0 {
			t.Fatalf("%s: %d findings, the API has %d", name, len(shown), len(items))
		}
		for i, item := range items {
			said := text(shown[i])
			for _, key := range []string{"severity", "code", "section", "field", "expected", "found"} {
				if want, _ := item.(map[string]any)[key].(string); !strings.Contains(said, want) {
					t.Errorf("%s: %q is not in %q", name, want, said)
				}
			}
		}
		for _, path := range []string{"", "/diagnostics", "/raw"} {
			if tabs := text(byTestID(t, l.openPage(pageOf(id)+path, http.StatusOK), "tabs")); !strings.Contains(tabs, fmt.Sprint("Diagnostics ", len(items))) {
				t.Errorf("%s%s: the tabs say %q", name, path, tabs)
			}
		}
	}
}

// TestDiagnosticsPageStates: none, many, and what a file makes them say.
func TestDiagnosticsPageStates(t *testing.T) {
	p := small()
	if said := text(byTestID(t, getPage(t, p, "/p/p/diagnostics", http.StatusOK), "blank")); !strings.Contains(said, "Nothing to report") {
		t.Errorf("no finding: %q", said)
	}
	for i := range 250 {
		name := hostileNames[i%len(hostileNames)]
		p.overview.Findings = append(p.overview.Findings, model.Finding{
			Severity: model.Note, Code: "x.y", Message: name, File: name, Section: name, Field: name, Offset: 7,
			Expected: name, Found: name, Cause: name, Remedy: name, Count: 1200,
		})
	}
	p.overview.Findings[249].Severity = model.Error
	doc := getPage(t, p, "/p/p/diagnostics", http.StatusOK)
	shown := findingsOn(doc)
	if len(shown) != findingsShown || !strings.HasPrefix(text(shown[0]), "error") || !strings.Contains(text(doc), "1 error, 249 notes") {
		t.Errorf("%d findings, the first %q", len(shown), text(shown[0]))
	}
	if found := all(doc, func(n *html.Node) bool { return n.Data == "img" }); len(found) > 0 {
		t.Error("a picture from a finding")
	}
	seen := len(shown)
	for _, query := range []string{"?page=2", "?page=3"} {
		seen += len(findingsOn(getPage(t, p, "/p/p/diagnostics"+query, http.StatusOK)))
	}
	if seen != 250 {
		t.Errorf("the pages have %d findings, want 250", seen)
	}
	getPage(t, p, "/p/p/diagnostics?severity=x", http.StatusBadRequest)
	getPage(t, p, "/p/p/diagnostics?page=0", http.StatusBadRequest)
}
