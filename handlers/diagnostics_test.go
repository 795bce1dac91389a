package handlers_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/handlers/webtest"
)

func findingsOn(doc *html.Node) []*html.Node {
	return webtest.All(doc, func(n *html.Node) bool { return webtest.Attr(n, "data-testid") == "finding" })
}

// TestDiagnosticsPage: the page says of every finding what the API does, worst
// first, and the tab counts them.
func TestDiagnosticsPage(t *testing.T) {
	l := webtest.Start(t, nil)
	for name, data := range map[string][]byte{
		"same_name_hashes.proftext": webtest.File(t, "same_name_hashes.proftext"),
		"cut.profraw":               webtest.File(t, "ir_c.profraw")[:900], "text.txt": []byte("a note\n"),
	} {
		id := l.Upload(name, data)
		items := l.OK(webtest.API(id) + "/diagnostics").Object(t)["items"].([]any)
		doc := l.Page(webtest.Page(id)+"/diagnostics", http.StatusOK)
		shown := findingsOn(doc)
		if len(shown) != len(items) || len(items) == 0 {
			t.Fatalf("%s: %d findings, the API has %d", name, len(shown), len(items))
		}
		for i, item := range items {
			said := webtest.Text(shown[i])
			for _, key := range []string{"severity", "code", "section", "field", "expected", "found"} {
				if want, _ := item.(map[string]any)[key].(string); !strings.Contains(said, want) {
					t.Errorf("%s: %q is not in %q", name, want, said)
				}
			}
		}
		text := l.OK(webtest.Page(id) + "/diagnostics?format=text").Text()
		if first := items[0].(map[string]any); strings.Count(text, "\n  ") < len(items)-1 ||
			!strings.HasPrefix(text, "  "+first["severity"].(string)) {
			t.Errorf("%s: a terminal reads\n%s", name, text)
		}
		for _, path := range []string{"", "/diagnostics", "/raw"} {
			if tabs := webtest.Text(webtest.ByTestID(t, l.Page(webtest.Page(id)+path, http.StatusOK),
				"tabs")); !strings.Contains(tabs, fmt.Sprint("Diagnostics ", len(items))) {
				t.Errorf("%s%s: the tabs say %q", name, path, tabs)
			}
		}
	}
}

// TestDiagnosticsPageStates: none, many, and what a file makes them say.
func TestDiagnosticsPageStates(t *testing.T) {
	p := webtest.Invent(instrprof.IRProf|instrprof.InstrEntry, webtest.Func("main", 0x33, 1))
	if said := webtest.Text(webtest.ByTestID(t, webtest.GetPage(t, p, "/p/p/diagnostics", http.StatusOK),
		"blank")); !strings.Contains(said, "Nothing to report") {
		t.Errorf("no finding: %q", said)
	}
	many := webtest.Invent(instrprof.IRProf|instrprof.InstrEntry, webtest.Func("main", 0x33, 1))
	for i := range 250 {
		name := webtest.HostileNames[i%len(webtest.HostileNames)]
		many.Findings = append(many.Findings, model.Finding{
			Severity: model.Note, Code: "x.y", Message: name, File: name, Section: name, Field: name, Offset: 7,
			Expected: name, Found: name, Cause: name, Remedy: name, Count: 1200,
		})
	}
	many.Findings[249].Severity = model.Error
	doc := webtest.GetPage(t, many, "/p/p/diagnostics", http.StatusOK)
	shown := findingsOn(doc)
	if len(shown) != 100 || !strings.HasPrefix(webtest.Text(shown[0]), "error") ||
		!strings.Contains(webtest.Text(doc), "1 error, 249 notes") {
		t.Errorf("%d findings, the first %q", len(shown), webtest.Text(shown[0]))
	}
	if found := webtest.All(doc, func(n *html.Node) bool { return n.Data == "img" }); len(found) > 0 {
		t.Error("a picture from a finding")
	}
	seen := len(shown)
	for _, query := range []string{"?page=2", "?page=3"} {
		seen += len(findingsOn(webtest.GetPage(t, many, "/p/p/diagnostics"+query, http.StatusOK)))
	}
	if seen != 250 {
		t.Errorf("the pages have %d findings, want 250", seen)
	}
	for query, want := range map[string]int{
		"?severity=error": 1, "?severity=note&page=3": 49, "?q=+Y+x+": 100, "?q=nowhere": 0,
	} {
		if n := len(findingsOn(webtest.GetPage(t, many, "/p/p/diagnostics"+query, http.StatusOK))); n != want {
			t.Errorf("diagnostics%s has %d findings, want %d", query, n, want)
		}
	}
	webtest.GetPage(t, many, "/p/p/diagnostics?severity=x", http.StatusBadRequest)
	webtest.GetPage(t, many, "/p/p/diagnostics?page=0", http.StatusBadRequest)
}
