package covweb_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// pair uploads a program's profile and another run of it, in which functions ran otherwise,
// and returns the comparison as a page and in the API.
func pair(t *testing.T, l *webtest.Server, change func(text string) string) (page, api string) {
	t.Helper()
	at := webtest.PutCoverage(l, "clang-22/rules/rules.profdata", "clang-22/rules/rules.exe")
	text := change(l.OK(at + "/export/proftext").Text())
	dir := t.TempDir()
	program, err := os.ReadFile(filepath.Join(webtest.Root(), "decode/covmap/testdata/clang-22/rules/rules.exe"))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"run.proftext": []byte(text), "rules.exe": program} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	other := webtest.API(l.Together(webtest.Files(t, dir, "run.proftext", "rules.exe")...))
	id := func(at string) string { return at[strings.LastIndex(at, "/")+1:] }
	page = "/compare/" + id(at) + "..." + id(other)
	return page, "/api/v1" + page
}

// zero is a text profile in which nothing ran.
func zero(text string) string {
	return ofCounters(text, func(string) string { return "0" })
}

// ofCounters is a text profile with other counters. Before those of a function it asks for "".
func ofCounters(text string, change func(count string) string) string {
	return regexp.MustCompile(`(?m)(# Counter Values:\n)((?:\d+\n)+)`).ReplaceAllStringFunc(text, func(s string) string {
		head, counters, _ := strings.Cut(s, "\n")
		change("")
		return head + "\n" + regexp.MustCompile(`\d+`).ReplaceAllStringFunc(counters, change)
	})
}

func TestCompareByLine(t *testing.T) {
	doc := webtest.Document(t)
	l := webtest.Start(t, nil)
	page, api := pair(t, l, zero)

	// Counts stay what is compared unless coverage is asked for.
	if family := l.OK(api).Object(t)["overlap"]; family == nil {
		t.Error("two profiles with counts are not compared by them")
	}
	all := l.OK(api + "?family=coverage")
	webtest.Validate(t, doc, "/api/v1/compare/{pair}", all)
	figures := all.Object(t)["figures"].(map[string]any)
	ran := figures["base_lines"].(map[string]any)["covered"]
	if fmt.Sprint(figures["newly_uncovered"]) != fmt.Sprint(ran) || fmt.Sprint(ran) == "0" ||
		fmt.Sprint(figures["newly_covered"]) != "0" {
		t.Errorf("nothing ran, and the figures are %v", figures)
	}

	// Every line that ran is newly uncovered, in every format; the other way round newly
	// covered.
	for _, call := range []string{
		"", "&file=rules.c", "&show=all", "&file=rules.h&show=all", "&format=json&limit=3&page=2",
	} {
		webtest.Validate(t, doc, "/api/v1/compare/{pair}/lines", l.OK(api+"/lines?family=coverage"+call))
	}
	csv := l.OK(api + "/lines?family=coverage&format=csv").Text()
	if n := strings.Count(csv, ",newly_uncovered,"); fmt.Sprint(n) != fmt.Sprint(ran) || lines(csv)-1 != n {
		t.Errorf("%d of %v lines in the table", n, ran)
	}
	a, b, _ := strings.Cut(strings.TrimPrefix(page, "/compare/"), "...")
	back := l.OK("/api/v1/compare/" + b + "..." + a + "/lines?family=coverage&format=csv").Text()
	if n := strings.Count(back, ",newly_covered,"); fmt.Sprint(n) != fmt.Sprint(ran) {
		t.Errorf("%d of %v lines the other way round", n, ran)
	}
	for _, call := range []string{
		"?family=coverage&sort=-newly_uncovered,share_change", "?family=coverage&state=newly_uncovered&q=rules.c",
		"?family=coverage&min=1000000",
	} {
		webtest.Validate(t, doc, "/api/v1/compare/{pair}", l.OK(api+call))
	}

	said := webtest.Said(l.Page(page+"?family=coverage", http.StatusOK))
	for _, want := range []string{
		fmt.Sprintf("0 lines newly covered, %v newly uncovered.", ran), "rules.c", "Newly uncovered", "1 line",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the page does not say %q: %.2000s", want, said)
		}
	}
	text := l.Get(page+"?family=coverage", "Accept", "text/plain").Text()
	if !strings.Contains(text, fmt.Sprintf("0 lines newly covered, %v newly uncovered.", ran)) {
		t.Errorf("at a terminal: %s", text)
	}
	file := l.Page(page+"/lines?family=coverage&file=rules.c", http.StatusOK)
	for _, want := range []string{"newly uncovered", "Both have code in the same lines."} {
		if said := webtest.Said(file); !strings.Contains(said, want) {
			t.Errorf("the file does not say %q: %.2000s", want, said)
		}
	}
	if one := webtest.Said(l.Page(page+"/lines?family=coverage&file=rules.c&show=all&limit=10&page=2",
		http.StatusOK)); !strings.Contains(one, "10 rows of") {
		t.Errorf("a page of all lines: %.2000s", one)
	}
	for path, status := range map[string]int{
		"/lines?family=coverage": 400, "/lines?family=coverage&file=none.c": 404,
		"/lines?family=coverage&file=rules.c&show=odd": 400, "/lines?file=rules.c": 404, "?family=coverage&sort=odd": 400,
	} {
		l.Page(page+path, status)
	}
	webtest.Problem(t, l.Get(api+"/lines?family=coverage&file=none.c"), http.StatusNotFound, "not_found")
}

// Two profiles that say the same say so, and why their lines are not those of the totals.
func TestCompareTheSame(t *testing.T) {
	l := webtest.Start(t, nil)
	for name, counts := range map[string]string{"pick": "", "stop": "count together here"} {
		id := strings.TrimPrefix(put(l, "clang-22/instances/"+name+".profdata", "clang-22/instances/"+name+".covmapping"),
			"/p/")
		said := webtest.Said(l.Page("/compare/"+id+"..."+id+"?family=coverage", http.StatusOK))
		if strings.Contains(said, "count together here") != (counts != "") {
			t.Errorf("%s: %.1000s", name, said)
		}
	}
	page, _ := pair(t, l, func(text string) string { return text })
	if said := webtest.Said(l.Page(page+"?family=coverage", http.StatusOK)); !strings.Contains(said,
		"The same lines ran.") {
		t.Errorf("%.2000s", said)
	}
}
