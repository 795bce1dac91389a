package handlers_test

import (
	"net/http"
	"strings"
	"testing"

	"proflens/decode/instrprof"
	"proflens/handlers/webtest"
)

// TestCompareOpensOnCoverage: the page of two coverage builds is that of their coverage; the
// API, and whoever asks for counts, get counts.
func TestCompareOpensOnCoverage(t *testing.T) {
	l := webtest.Start(t, nil)
	a := webtest.PutCoverage(l, "clang-22/rules/rules.profdata", "clang-22/rules/rules.exe")
	b := webtest.PutCoverage(l, "clang-22/rules/rules.profdata", "clang-22/rules/rules.exe")
	pair := "/compare/" + a[len("/api/v1/profiles/"):] + "..." + b[len("/api/v1/profiles/"):]
	answer := l.Get(pair, "Accept", "text/html")
	if to := answer.Header.Get("Location"); to != pair+"?family=coverage" {
		t.Fatalf("%d, to %q", answer.StatusCode, to)
	}
	counts := webtest.LinkTo(t, l.Page(pair+"?family=coverage", http.StatusOK), "Counts")
	if !strings.HasSuffix(counts, "?family=instr") {
		t.Errorf("counts are at %s", counts)
	}
	l.Page(counts, http.StatusOK)
	l.Page(pair+"?sort=-change", http.StatusOK)
	if family := l.OK("/api/v1" + pair).Object(t)["family"]; family == "coverage" {
		t.Error("the API has coverage")
	}
	for said, text := range map[string]*webtest.Answer{
		"The same lines ran": l.OK(pair, webtest.Terminal...), "lines ran": l.OK(pair + "?format=text"),
		"overlap information": l.OK(pair + "?format=text&family=instr"),
	} {
		if !strings.Contains(text.Text(), said) {
			t.Errorf("no %q in\n%s", said, text.Text())
		}
	}
}

// TestCompareStrangers: two programs with no function in common get that sentence alone, unless
// rows are asked for.
func TestCompareStrangers(t *testing.T) {
	l := webtest.Start(t, nil)
	text := func(names ...string) []byte {
		var b strings.Builder
		b.WriteString(":ir\n")
		for _, name := range names {
			b.WriteString(name + "\n1\n1\n5\n\n")
		}
		return []byte(b.String())
	}
	pair := "/compare/" + l.Upload("a.proftext", text("a", "b")) + "..." + l.Upload("b.proftext", text("c", "d"))
	doc := l.Page(pair, http.StatusOK)
	if says := webtest.Said(webtest.ByTestID(t, doc, "sentence")); says != "The two have no function in common." {
		t.Errorf("the page says %q", says)
	}
	if len(webtest.All(doc, webtest.Tag("table"))) > 1 { // that of keys
		t.Error("there is more than the sentence")
	}
	if doc := l.Page(pair+"?state=only_base", http.StatusOK); len(webtest.All(doc, webtest.Tag("table"))) < 2 {
		t.Error("no rows though they are asked for")
	}
}

// TestFilterWithoutEntries: the example of a filter works, and one that cannot says why.
func TestFilterWithoutEntries(t *testing.T) {
	for variant, want := range map[instrprof.Variant]string{
		instrprof.IRProf: "total>=7", instrprof.IRProf | instrprof.InstrEntry: "entry>=7",
	} {
		p := webtest.Invent(variant, webtest.Func("main", 1, 7))
		bar := webtest.ByTestID(t, webtest.GetPage(t, p, "/p/p/functions", http.StatusOK), "filter-bar")
		if !strings.Contains(webtest.Said(bar), want) {
			t.Errorf("%x: the example is not %s", variant, want)
		}
	}
	p := webtest.Invent(instrprof.IRProf, webtest.Func("main", 1, 7))
	for address, want := range map[string]string{
		"entry=1..": "This profile has no entry counts", "entry=1000..": "This profile has no entry counts",
		"q=entry%3E%3Dabc": "“abc” is not a number.",
		"sites=1..":        "This profile has no value sites", "q=total%3E18446744073709551615": "total is out of range.",
		"q=nothing":        "Remove a filter to see more.",
		"q=operator%3E%3D": "Remove a filter to see more.",
	} {
		said := webtest.Said(webtest.GetPage(t, p, "/p/p/functions?"+address, http.StatusOK))
		if !strings.Contains(said, want) {
			t.Errorf("%s does not say %q", address, want)
		}
	}
	// What the script makes of a typed filter, the server does where there are no scripts.
	for typed, want := range map[string]string{
		"q=entry%3E%3D1000": "entry=1000..", "q=total+%3E+5&page=2": "total=6..", "q=zero%3C10": "zero=..9",
		"q=max%3D7&class=hot": "class=hot&max=7", "q=total%3C%3D50&total=10..": "total=10..50",
	} {
		w := p.Serve(t).Get("/p/p/functions?" + typed)
		if to := w.Header.Get("Location"); w.StatusCode != http.StatusSeeOther || to != "/p/p/functions?"+want {
			t.Errorf("%s: %d, to %s", typed, w.StatusCode, to)
		}
	}
}
