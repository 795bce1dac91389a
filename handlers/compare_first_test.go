package handlers_test

import (
	"net/http"
	"net/url"
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
		"sites=1..": "This profile has no value sites",
		"q=nothing": "Remove a filter to see more.", "q=operator%3E%3D": "Remove a filter to see more.",
	} {
		said := webtest.Said(webtest.GetPage(t, p, "/p/p/functions?"+address, http.StatusOK))
		if !strings.Contains(said, want) {
			t.Errorf("%s does not say %q", address, want)
		}
	}
}

// TestTypedFilters: what is typed where a part of a name is becomes a parameter, or is told to be
// a mistake, or is part of a name.
func TestTypedFilters(t *testing.T) {
	p := webtest.Invent(instrprof.IRProf, webtest.Func("main", 1, 7))
	ask := func(text, rest string) (status int, to, said string) {
		w := p.Serve(t).Get("/p/p/functions?q=" + url.QueryEscape(text) + rest)
		to, _ = url.QueryUnescape(strings.TrimPrefix(w.Header.Get("Location"), "/p/p/functions?"))
		return w.StatusCode, to, w.Text()
	}
	for text, want := range map[string]string{
		"entry>=1000": "entry=1000..", "entry >= 1 000": "entry=1000..", "max > 2.5M": "max=2500001..",
		"zero=0": "zero=0", "zero:0": "zero=0", "counters<10": "counters=..9", "total=5..9": "total=5..9",
		"total=..9k": "total=..9000", "total=4_120": "total=4120", "total≥0": "total=0..", "rank≤5": "rank=..5",
		"Class = hot, warm": "class=hot,warm", "re=^std::": "re=^std::", "name ~ push_.*": "re=push_.*",
		"path=lib/Support/": "path=lib/Support/", "hash=0xabc": "hash=0xabc", "name=peek": "q=peek",
		"executed=no": "executed=false", "executed = Yes": "executed=true",
		"total>=18446744073709551615": "total=18446744073709551615",
	} {
		if status, to, _ := ask(text, "&page=2"); status != http.StatusSeeOther || to != want {
			t.Errorf("%s: %d, to %s", text, status, to)
		}
	}
	for text, want := range map[string]string{
		"total<=50": "total=10..50", "total>=60": "total=60..", "total<5": "total=..4", "total>20": "total=21..50",
	} {
		rest := "&total=10..50"
		if text == "total<=50" {
			rest = "&total=10.."
		}
		if status, to, _ := ask(text, rest); status != http.StatusSeeOther || to != want {
			t.Errorf("%s beside %s: %d, to %s", text, rest, status, to)
		}
	}
	for text, want := range map[string]string{
		"entry>=many": "“many” is not a number.", "class=warmish": "A class is one of", "zero<0": "Zero is out of range.",
		"max~5": "Max takes =,", "total=9..5": "“9..5” is not a range.", "share>1": "no filter for share; use total.",
		"sum>=50 %": "no filter for sum; use total.", "executed=perhaps": "Executed is yes or no.",
		"total=1.5":                  "“1.5” is not a whole number.",
		"entry>18446744073709551615": "Entry is out of range.", "max=20E": "Max is out of range.",
	} {
		if status, _, said := ask(text, ""); status != http.StatusBadRequest || !strings.Contains(said, want) {
			t.Errorf("%s: %d, without %q", text, status, want)
		}
	}
	for _, text := range []string{
		"push_back", "operator>=", "std::max<int>", "max::size", "class::x", "operator=", "path=", "foo=1", "path::join",
		"name::x", "hash::x", "share=x",
	} {
		if status, to, _ := ask(text, ""); status != http.StatusOK {
			t.Errorf("%s: %d, to %s", text, status, to)
		}
	}
}
