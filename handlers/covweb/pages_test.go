package covweb_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/handlers/webtest"
	"proflens/internal/humanize"
)

// put uploads files of package decode/covmap together and returns the path of the
// profile's pages.
func put(l *webtest.Server, paths ...string) string {
	l.T.Helper()
	api := webtest.API(l.Together(webtest.Files(l.T, filepath.Join(webtest.Root(), "decode/covmap/testdata"),
		paths...)...))
	return strings.Replace(api, "/api/v1/profiles", "/p", 1)
}

// TestPages asks for every page of real programs with their profiles.
func TestPages(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, one := range []struct {
		files []string
		pages map[string]string
	}{
		{[]string{"clang-22/rules/rules.profdata", "clang-22/rules/rules.exe"}, map[string]string{
			"": "Source coverage", "/files": "Why these totals.", "/files?q=lines<100": "of 2 files",
			"/files?q=nothing_like_it": "No file matches", "/files?goal=0": "reached",
			"/files?inst=union&sort=-total": "rules.c", "/files/rules.c": "No source text",
			"/files/rules.c?show=gaps": "all covered", "/files?file=rules.c": "No source text",
			"/mcdc": "decisions", "/mcdc?missing=true&sort=-missing": "missing", "/mcdc?path=rules.c": "path = rules.c",
			"/uncovered": "never ran", "/uncovered?sort=file": "Longest first",
			"/uncovered?q=nothing_like_it": "functions match",
			"/misfits":                     "Everything fits",
		}},
		{
			[]string{"joined/stale.profdata", "joined/stale.exe"},
			map[string]string{
				"/files": "of another build, in no total", "/misfits?kind=mismatched": "with other hashes only",
				"": "of another build",
			},
		},
		{
			[]string{"clang-22/uni/uni.profdata", "clang-22/uni/uni.exe"},
			map[string]string{"/files/gr%20%C3%B6%C3%9Fen.c": "gr ößen.c"},
		},
		{
			[]string{"clang-22/single_byte/single_byte.profdata", "clang-22/single_byte/single_byte.exe"},
			map[string]string{"/files": "counters of a single byte", "/files/shape.hpp": "Line"},
		},
		{
			[]string{"clang-22/instances/sw.profdata", "clang-22/instances/sw.covmapping"},
			map[string]string{"/files/sw.c": "9/11", "/files/sw.c?show=gaps": "2 gaps, 2 lines"},
		},
		{[]string{"clang-22/instances/stop.profdata", "clang-22/instances/stop.covmapping"}, map[string]string{
			"/files/stop.cpp": "8/8", "/files/stop.cpp?show=gaps": "no gap",
			"/files": "Union those that the pages of files show", "/files?inst=union": "8 of 8",
		}},
		// as llvm-cov 22's report
		{
			[]string{"clang-22/instances/pick.profdata", "clang-22/instances/pick.covmapping"},
			map[string]string{
				"/files": "2 of 4", "/mcdc": "2 decisions, 2 of 4 conditions", "/files?goal=90": "no branches for exceptions",
			},
		},
		{
			[]string{"clang-22/instances/gate.profdata", "clang-22/instances/gate.exe"},
			map[string]string{"/files": "MC/DC cannot be told", "/misfits?kind=no_bitmap": "gate", "": "MC/DC cannot be told"},
		},
		{
			[]string{"rustc-stable/shop/shop.profdata", "rustc-stable/shop/shop.exe"},
			map[string]string{"/files/cart.rs?sel=10&open=10": "Line 10",
				"/files": "rustc's stable release writes neither"},
		},
	} {
		at := put(l, one.files...)
		for path, want := range one.pages {
			if doc := l.Page(at+path, http.StatusOK); !strings.Contains(webtest.Said(doc), want) {
				t.Errorf("%s: %s does not say %q", one.files[0], path, want)
			}
		}
		holdNever(t, l, at, one.files[0])
		for path, status := range map[string]int{
			"/files?goal=101": 400, "/files?inst=worst": 400, "/files?q=lines<many": 400, "/files?q=mood<3": 400,
			"/files?path=no/where": 404, "/files?sort=mood": 400, "/files/no/where.c": 404, "/files?file=no": 404,
			"/uncovered?path=no/where": 404, "/uncovered?sort=mood": 400, "/uncovered?q=lines>20": 400,
			"/uncovered?q=vector<int>": 200, "/mcdc?missing=perhaps": 400, "/mcdc?path=no": 404,
			"/misfits?kind=odd": 400, "/nothing": 404,
		} {
			tabs := webtest.ByTestID(t, l.Page(at+path, status), "tabs")
			if !strings.Contains(webtest.Said(tabs), "Changed lines") {
				t.Errorf("%s: %s has no tabs of coverage", one.files[0], path)
			}
		}
	}
}

// holdNever holds what is said of functions that never ran against the API.
func holdNever(t *testing.T, l *webtest.Server, at, file string) {
	t.Helper()
	unrun := l.OK(webtest.API(strings.TrimPrefix(at, "/p/")) + "/coverage/functions?state=never").Object(t)
	never := webtest.Number(t, unrun,
		"total")
	said := webtest.Said(l.Page(at+"/uncovered", http.StatusOK))
	if strings.Contains(said, "Every function ran") != (never == 0) {
		t.Errorf("%s: every function is said to have run, and %d did not", file, never)
	}
	files := webtest.Said(l.Page(at+"/files", http.StatusOK))
	for kind, says := range map[string]string{
		"mismatched": "of another build, in no total.",
		"short":      "with fewer counters than the mapping speaks of, in no total.",
		"no_bitmap":  "whose MC/DC cannot be told: the profile has no bitmaps of them.",
		"lost":       "without lines: the mapping has others of the same name.",
	} {
		misfits := l.OK(webtest.API(strings.TrimPrefix(at, "/p/")) + "/coverage/misfits?kind=" + kind).Object(t)
		n := webtest.Number(t, misfits, "total")
		words := strings.ReplaceAll(humanize.Plural(n, "function", "functions"), humanize.NumberSpace, " ") + " " + says
		if strings.Contains(files, says) != (n > 0) || n > 0 && !strings.Contains(files, words) {
			t.Errorf("%s: of %d that are %s, the page says %q: %v", file, n, kind, words, n == 0)
		}
	}
	for _, page := range []string{said, files} {
		if strings.Contains(page, ", 0 left out") || strings.Contains(page, "0 more") {
			t.Errorf("%s: nothing is left out, and that is said: %s", file, page)
		}
	}
	if never > 0 {
		return // one picture is enough
	}
	if a := l.Get(at + "/card.png"); a.StatusCode != http.StatusOK || len(a.Bytes) < 1000 {
		t.Errorf("%s: the card is %s", file, a.Status)
	}
}

// Of a decision that several instances of a template have, the one with the most pairs is shown, and the page
// says of how many.
func TestDecisionsOfInstances(t *testing.T) {
	l := webtest.Start(t, nil)
	at := put(l, "clang-22/instances/pick.profdata", "clang-22/instances/pick.covmapping")
	files := l.OK(webtest.API(strings.TrimPrefix(at, "/p/"))+"/coverage/files").Column(t, "file")
	tables := webtest.AllByTestID(l.Page(at+"/files/"+files[0]+"?open=all", http.StatusOK), "mcdc")
	several, shown := 0, map[string]bool{}
	for _, table := range tables {
		said := webtest.Said(table)
		if strings.Contains(said, "In 2 functions; this is the one with the most pairs.") {
			several++
		} else if strings.Contains(said, "this is the one") {
			t.Errorf("the decision says %s", said)
		}
		at, _, _ := strings.Cut(said[strings.Index(said, "MC/DC"):], "vectors")
		if shown[at] {
			t.Errorf("%s is there twice", at)
		}
		shown[at] = true
	}
	best := map[string][2]int{} // conditions shown to matter, and vectors, by place
	for _, item := range l.OK(webtest.API(strings.TrimPrefix(at, "/p/")) + "/coverage/mcdc?instances=true").
		Object(t)["items"].([]any) {
		item := item.(map[string]any)
		place := fmt.Sprint(item["line"], ":", item["column"])
		one := [2]int{webtest.Number(t, item, "conditions_covered"), len(item["vectors"].([]any))}
		if slices.Compare(one[:], sliceOf(best[place])) > 0 {
			best[place] = one
		}
	}
	for place, want := range best {
		if !slices.ContainsFunc(tables, func(table *html.Node) bool {
			said := webtest.Said(table)
			return strings.Contains(said, place+"–") && strings.Contains(said, fmt.Sprintf("MC/DC %d of ", want[0])) &&
				strings.Contains(said, fmt.Sprintf(", %d ran", want[1]))
		}) {
			t.Errorf("no decision at %s has %d conditions that matter and %d vectors", place, want[0], want[1])
		}
	}
	if several == 0 || len(tables) != 2 { // as llvm-cov 22 reports it: 2 decisions
		t.Errorf("%d decisions, %d of several functions", len(tables), several)
	}
}

func sliceOf(pair [2]int) []int { return pair[:] }

// TestSourcePage: a line is what the profile says of it, with what unfolds under it.
func TestSourcePage(t *testing.T) {
	l := webtest.Start(t, nil)
	at := put(l, "clang-22/rules/rules.profdata", "clang-22/rules/rules.exe") + "/files/rules.c"
	for path, status := range map[string]int{
		"?show=some": 400, "?sel=0": 400, "?sel=4294967296": 400, "?open=x": 400, "?open=9..3": 400,
		"?open=99999999999": 400, "?from=-1": 400, "?open=1..4294967295": 200, "?sel=4294967295": 200,
		"?from=4294967295":            200,
		"?open=1,2,3&show=gaps&sel=2": 200,
	} {
		l.Page(at+path, status)
	}
	// All is unfolded, and folded again, by one word.
	toggles := 0
	for _, a := range webtest.All(l.Page(at+"?open=all", http.StatusOK), webtest.Tag("a")) {
		if webtest.Attr(a, "class") == "src-toggle" {
			toggles++
			if to := webtest.Attr(a, "href"); webtest.Attr(a, "aria-expanded") != "true" || strings.Contains(to, "open=") {
				t.Errorf("%s is expanded: %s", to, webtest.Attr(a, "aria-expanded"))
			}
		}
	}
	if toggles == 0 {
		t.Error("nothing is unfolded")
	}
	// Counts and vectors are those of llvm-cov show.
	doc := l.Page(at+"?open=14,32&sel=14", http.StatusOK)
	counts := map[string]string{}
	for _, row := range webtest.All(doc, webtest.Tag("tr")) {
		cells := append(webtest.All(row, webtest.Tag("th")), webtest.All(row, webtest.Tag("td"))...)
		if len(cells) == 6 && strings.Contains(webtest.Attr(row, "data-select"), "sel=") {
			counts[webtest.Said(cells[0])] = webtest.Said(cells[1])
		}
	}
	for line, want := range map[string]string{
		"8": "13", "9": "3", "14": "◐ 9", "53": "◐ 6", "63": "○ 0", "66": "○ 0", "12": "",
	} {
		if got := strings.TrimSpace(strings.Join(strings.Fields(counts[line]), " ")); got != want {
			t.Errorf("line %s says %q, want %q", line, got, want)
		}
	}
	text := strings.Join(strings.Fields(webtest.Said(doc)), " ")
	for _, want := range []string{
		"Line 14", "Ran 9 times.", "MC/DC 2 of 4", "1 F – F – F", "4 T F T F F", "missing", "expands to rules.h:",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page of line 14 does not say %q: %s", want, text)
		}
	}
	if text := webtest.Said(l.Page(at+"?sel=66&show=gaps", http.StatusOK)); !strings.Contains(
		text, "Never ran: the function was not called.") {
		t.Error("the line of a function that was not called does not say so")
	}
}

// TestSearch: the search box finds files beside functions.
func TestSearch(t *testing.T) {
	l := webtest.Start(t, nil)
	at := put(l, "clang-22/rules/rules.profdata", "clang-22/rules/rules.exe")
	answer := l.OK(strings.Replace(at, "/p/", "/api/v1/profiles/", 1) + "/suggest?q=rules")
	if paths := answer.Column(t, "path"); !slices.Contains(paths, "/files/rules.c") {
		t.Errorf("rules finds %v", paths)
	}
	webtest.Validate(t, webtest.Document(t), "/api/v1/profiles/{id}/suggest", answer)
}
