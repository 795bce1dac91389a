package covweb_test

import (
	"bytes"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"proflens/builds/measures"
	"proflens/decode/instrprof"
	"proflens/handlers/site"
	"proflens/handlers/webtest"
	"proflens/internal/humanize"
)

var testdata = filepath.Join(webtest.Root(), "decode/covmap/testdata")

// kinds is one's own file, a test and a dependency.
var kinds = []string{"clang-22/kinds/kinds.profdata", "clang-22/kinds/kinds.covmapping"}

// saidOf is what is said in the part of a page with a test ID.
func saidOf(t *testing.T, l *webtest.Server, url, id string) string {
	t.Helper()
	return strings.Join(strings.Fields(webtest.Said(webtest.ByTestID(t, l.Page(url, http.StatusOK), id))), " ")
}

// What is filtered, or left out by its kind, is in no total, and the page says so; one's own code
// comes first.
func TestTotalsOfWhatIsShown(t *testing.T) {
	l := webtest.Start(t, nil)
	at := put(l, kinds...)
	for _, one := range []struct{ query, lines, of string }{
		{"", "15 of 34", ""},
		{"?q=own.c", "8 of 18", "Totals of 1 of 3 files, those that match."},
		{"?q=lines<50", "8 of 26", "Totals of 2 of 3 files, those that match."},
		{"?without=tests", "8 of 26", "Totals of 2 of 3 files."},
		{"?without=tests,dependencies", "8 of 18", "Totals of 1 of 3 files."},
		{"?without=tests&q=dep", "0 of 8", "Totals of 1 of 3 files, those that match."},
	} {
		said := saidOf(t, l, at+"/files"+one.query, "files")
		if !strings.Contains(said, one.lines) || !strings.Contains(said, one.of) ||
			strings.Contains(said, "Totals of") != (one.of != "") {
			t.Errorf("%s: %q of %q is not in %q", one.query, one.lines, one.of, said)
		}
	}
	for _, query := range []string{"", "?q=.c", "?sort=kind", "?q=.c&sort=kind"} {
		said := saidOf(t, l, at+"/files"+query, "files-table")
		own, dep, test := strings.Index(said, "own.c"), strings.Index(said, "vendor"), strings.Index(said, "tests/")
		if own < 0 || own > test || test > dep {
			t.Errorf("%s: own code is not first, and tests not second: %s", query, said)
		}
	}
	if said := saidOf(t, l, at+"/files", "gaps-map"); !strings.Contains(said, " own.c 44.4 %") {
		t.Errorf("a box of the map is not called by its file first: %s", said)
	}
	for _, link := range webtest.All(l.Page(at+"/files", http.StatusOK), webtest.Tag("a")) {
		if strings.HasSuffix(webtest.Text(link), "never taken") &&
			!strings.HasSuffix(webtest.Attr(link, "href"), "/files?q=branches%3C100&sort=kind%2Cbranches") &&
			!strings.HasSuffix(webtest.Attr(link, "href"), "/files?q=branches%3C100&sort=kind,branches") {
			t.Errorf("branches not taken lead to %s", webtest.Attr(link, "href"))
		}
	}
	said := saidOf(t, l, at+"/uncovered?without=dependencies", "says")
	if !strings.HasPrefix(said, "2 functions never ran") {
		t.Errorf("without dependencies: %s", said)
	}
	l.Page(at+"/files?without=toys", http.StatusBadRequest)
	api := strings.Replace(at, "/p/", "/api/v1/profiles/", 1)
	if rows := l.OK(api + "/coverage/files?format=csv&without=tests").Text(); strings.Count(rows, "\n") != 3 {
		t.Errorf("the API has %s", rows)
	}
	holdGoals(t, l, at)
}

// holdGoals: how many files are under a goal is said, if any are.
func holdGoals(t *testing.T, l *webtest.Server, at string) {
	t.Helper()
	shares := l.OK(webtest.API(strings.TrimPrefix(at, "/p/"))+"/coverage/files").Column(t, "lines_share")
	for _, goal := range []int{0, 40, 50, 100} {
		n := 0
		for _, text := range shares {
			if share, err := strconv.ParseFloat(text, 64); err != nil || 100*share < float64(goal) {
				n++
			}
		}
		said := webtest.Said(l.Page(at+"/files?goal="+strconv.Itoa(goal), http.StatusOK))
		want := "Under goal, " + strings.ReplaceAll(humanize.Plural(n, "file"), humanize.NumberSpace, " ")
		if strings.Contains(said, want) != (n > 0) || n == 0 && strings.Contains(said, "Under goal") {
			t.Errorf("of %q under %d the page says %q: %v", shares, goal, want, n == 0)
		}
	}
}

// A label leaves kinds out where an address does not say, of every profile that has it.
func TestRuleLeavesOut(t *testing.T) {
	l := webtest.Start(t, nil)
	parts := []string{
		"group", "one", "label", "coverage_without=tests,dependencies,toys", "label", "coverage_exclude=macros",
	}
	for _, name := range kinds {
		parts = append(parts, "file:"+filepath.Base(name), string(webtest.Files(t, testdata, name)[1].([]byte)))
	}
	body, form := webtest.Form(t, parts...)
	a := l.Do("POST", "/api/v1/profiles?wait=5m", body, "Content-Type", form)
	at := webtest.Page(a.Object(t)["id"].(string))
	if said := saidOf(t, l, at+"/files", "files"); !strings.Contains(said, "Totals of 1 of 3 files.") {
		t.Errorf("the label is passed over: %s", said)
	}
	if said := saidOf(t, l, at, "coverage"); !strings.Contains(said, "Left out by macros: 4 regions") {
		t.Errorf("the overview passes over the label: %s", said)
	}
	if said := saidOf(t, l, at+"/files?without=-", "files"); !strings.Contains(said, "15 of 34") {
		t.Errorf("an address does not go before the label: %s", said)
	}
}

// The rules of a project leave out the same of all its profiles: pages, text, API and figures have
// it, and say so; a label goes before them.
func TestRuleOfAProject(t *testing.T) {
	l, at := sourced(t, "project", "app", "visibility", "listed")
	for _, rules := range []string{"[coverage]\nexclude = [\"marker\"]", "[coverage]\nexclude = \"markers\"",
		"[coverage]\ngoal = [\"markers\"]"} {
		if a := l.Do("PUT", "/api/v1/projects/app/rules", strings.NewReader(rules)); a.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %s", rules, a.Status)
		}
	}
	l.Do("PUT", "/api/v1/projects/app/rules",
		strings.NewReader("[coverage]\nexclude = [\"markers\", \"macros\"]\nwithout = [\"tests\"]\n[gate]\nmin_coverage = 1"))
	l.Measuring(t)
	const left = "Totals of 2 of 3 files. Left out by markers and macros: 6 lines, 9 regions"
	for _, page := range []string{at + "/files", at} {
		said := saidOf(t, l, page, map[bool]string{true: "coverage", false: "files"}[page == at])
		if !strings.Contains(said, "8 of 20") || !strings.Contains(said, "Left out by markers and macros: 6 lines") {
			t.Errorf("%s: %s", page, said)
		}
	}
	if text := l.OK(at, webtest.Terminal...).Text(); !strings.Contains(text, "of 20, 40.0 %. "+left) {
		t.Errorf("a terminal reads\n%s", text)
	}
	api := strings.Replace(at, "/p/", "/api/v1/profiles/", 1)
	if text := l.OK(api).Text(); !strings.Contains(text, `"left_out":"`+left) {
		t.Errorf("the API has %s", text)
	}
	e, err := l.Catalog.Entry(t.Context(), at[len("/p/"):])
	if err != nil {
		t.Fatal(err)
	}
	p, err := l.Catalog.Open(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if set, err := measures.Of(t.Context(), p); err != nil || !strings.HasPrefix(set["coverage.coverage"].LeftOut, left) ||
		set["coverage.coverage"].N != 8 || set["coverage.coverage"].Of != 20 {
		t.Errorf("%v: measured is %+v", err, set)
	}
	id := at[len("/p/"):]
	gate := l.OK("/api/v1/compare/gate?base=" + id + "&test=" + id + "&max_coverage=40.1").Text()
	if !strings.Contains(gate, `"passed":true`) || !strings.Contains(gate, `"left_out":"`+left) {
		t.Errorf("the gate: %s", gate)
	}
	if part, whole, err := measures.Head(t.Context(), p); err != nil || part != 8 || whole != 20 {
		t.Errorf("lists have %d of %d; %v", part, whole, err)
	}
	for l.OK("/api/v1/projects/app/gate").Object(t)["pending"] == true {
		time.Sleep(20 * time.Millisecond)
	}
	if said := saidOf(t, l, "/projects/app/gate", "left-out"); !strings.HasPrefix(said, left) {
		t.Errorf("the page of the gate says %q", said)
	}
	if said := saidOf(t, l, "/projects/app?measure=coverage.coverage", "trend"); !strings.Contains(said, left) {
		t.Errorf("the trend says %q", said)
	}
	if said := saidOf(t, l, "/?q=kinds", "profiles"); !strings.Contains(said, "40.0 % of lines") {
		t.Errorf("the list says %q", said)
	}
}

// sourced is the profile with its sources given.
func sourced(t *testing.T, fields ...string) (l *webtest.Server, at string) {
	t.Helper()
	l = webtest.Start(t, nil)
	return l, giveSources(t, l, testdata, kinds, "clang-22/kinds/",
		[]string{"src/own.c", "tests/own_test.c", "vendor/dep/dep.c"}, fields...)
}

// withSources is a profile of some files with sources that stand in a folder.
func withSources(t *testing.T, in string, files []string, folder string, names ...string) (l *webtest.Server,
	at string) {
	t.Helper()
	l = webtest.Start(t, nil)
	return l, giveSources(t, l, in, files, folder, names)
}

// giveSources uploads it, with fields of the form.
func giveSources(t *testing.T, l *webtest.Server, in string, files []string, folder string, names []string,
	fields ...string) string {
	t.Helper()
	parts := append([]string{"group", "one"}, fields...)
	for _, name := range files {
		parts = append(parts, "file:"+filepath.Base(name), string(webtest.Files(t, in, name)[1].([]byte)))
	}
	body, form := webtest.Form(t, parts...)
	p := l.Do("POST", "/api/v1/profiles?wait=5m", body, "Content-Type", form).Object(t)
	texts := map[string]string{}
	for _, name := range names {
		texts[name] = string(webtest.Files(t, in, folder+name)[1].([]byte))
	}
	id := p["id"].(string)
	l.Do("POST", webtest.API(id)+"/sources?filename=a.zip", bytes.NewReader(zipOf(t, texts)), "X-Delete-Token",
		p["delete_token"].(string))
	return webtest.Page(id)
}

// A condition that stands in a macro is said as the macro is used there, not by the line of that
// number in the decision's own file.
func TestTextOfConditionsInMacros(t *testing.T) {
	l, at := withSources(t, "testdata", []string{"conditions/cond.profdata", "conditions/cond.covmapping"}, "conditions/",
		"cond.c", "cond.h")
	said := saidOf(t, l, at+"/mcdc", "mcdc")
	for _, want := range []string{
		"cond.c:5 C1 POSITIVE(a) C2 POSITIVE(b)",
		"cond.c:9 C1 POSITIVE(a), cond.h:2 C2 c > 1 C3 POSITIVE(b), cond.h:2",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in %s", want, said)
		}
	}
}

// A decision in the text of a macro says where that is used, and where the compiler has all of its
// conditions at the macro's argument, they are what the function has there.
func TestTextOfDecisionsInMacros(t *testing.T) {
	l, at := withSources(t, "testdata", []string{"macros/held.profdata", "macros/held.covmapping"}, "macros/",
		"held.c", "held.h")
	said := saidOf(t, l, at+"/mcdc", "mcdc")
	want := "held.h:1 used at held.c:5 C1 CAST(int, EITHER(a, b)), held.c:5 C2 CAST(int, EITHER(a, b)), held.c:5"
	if !strings.Contains(said, want) {
		t.Errorf("%q is not in %s", want, said)
	}
}

// With the sources at hand decisions say their conditions and what would show them, and a function's
// page has its lines.
func TestTextOfConditionsAndFunctions(t *testing.T) {
	l, at := sourced(t)
	said := saidOf(t, l, at+"/mcdc", "mcdc")
	if !strings.Contains(said, "C1 a > 0") || !strings.Contains(said, "C2 b > 0") {
		t.Errorf("no conditions in %s", said)
	}
	row := webtest.LinkTo(t, l.Page(at+"/mcdc", http.StatusOK), "1")
	in := saidOf(t, l, row, "inspector")
	for _, want := range []string{
		"Would show what is missing", "F – → F", "C1 alone decides", "Vectors that ran", "1: T T → T",
	} {
		if !strings.Contains(in, want) {
			t.Errorf("the inspector does not say %q: %s", want, in)
		}
	}
	said = saidOf(t, l, at+"/functions/"+site.FID(instrprof.NameRef([]byte("weigh"))), "function-lines")
	for _, want := range []string{"if (a > 0 && b > 0)", "return TWICE(a) + b;", "return -1 ;"} {
		if !strings.Contains(said, want) {
			t.Errorf("the function's page does not say %q: %s", want, said)
		}
	}
	doc := webtest.Text(l.Page(at+"/functions/"+site.FID(instrprof.NameRef([]byte("weigh"))), http.StatusOK))
	if strings.Index(doc, "return TWICE") > strings.Index(doc, "Counters") {
		t.Error("counters come before the lines")
	}
}

// The first page of a profile with coverage leads with it, as its terminal's text does; so does its row
// at home.
func TestCoverageLeads(t *testing.T) {
	l := webtest.Start(t, nil)
	at := put(l, kinds...)
	said := webtest.Text(l.Page(at, http.StatusOK))
	files, hottest := strings.Index(said, "Files with the most missing lines"), strings.Index(said, "Hottest functions")
	if files < 0 || files > hottest {
		t.Errorf("counters come first: %d, %d", files, hottest)
	}
	page := l.Page(at, http.StatusOK)
	for _, row := range webtest.All(page, webtest.Tag("li")) {
		if text := webtest.Text(row); strings.Contains(text, "100 %") {
			t.Errorf("among the files with missing lines is %q", text)
		}
	}
	for _, query := range []string{"", "branches", "kind,branches"} { // the kind has no head
		heads := webtest.All(l.Page(at+"/files?q=branches<100&sort="+query, http.StatusOK), func(n *html.Node) bool {
			return webtest.Attr(n, "aria-sort") != ""
		})
		if len(heads) != 1 {
			t.Errorf("sort=%s: %d heads are marked", query, len(heads))
		}
	}
	if !strings.Contains(said, "Longest functions that never ran") {
		t.Error("no functions that never ran")
	}
	text := l.OK(at, "Accept", "text/plain").Text()
	if a, b := strings.Index(text, "lines covered"), strings.Index(text, "maximum counter"); a < 0 || a > b {
		t.Errorf("the text begins with counters:\n%s", text)
	}
	if said := webtest.Said(l.Page("/", http.StatusOK)); !strings.Contains(said, "Coverage · LLVM indexed") {
		t.Errorf("the list does not say coverage: %s", said)
	}
}

// Markers of sources, and macros, are left out of totals where that is asked for, by an address or a
// label; the page says how much that is.
func TestExcludedFromTotals(t *testing.T) {
	l, at := sourced(t)
	for _, one := range []struct{ query, lines, says string }{
		{"", "15 of 34", ""},
		{"?exclude=markers", "15 of 28", "Left out by markers: 6 lines, 5 regions, 4 branch sides, 1 function."},
		{"?exclude=macros", "15 of 34", "Left out by macros: 4 regions, 2 branch sides."},
		{"?exclude=markers,macros&without=tests", "8 of 20", "Left out by markers and macros: 6 lines, 9 regions"},
		{"?exclude=markers&q=own.c", "8 of 12", "6 lines"},
		{"?exclude=-", "15 of 34", ""},
	} {
		said := saidOf(t, l, at+"/files"+one.query, "files")
		if !strings.Contains(said, one.lines) || !strings.Contains(said, one.says) ||
			strings.Contains(said, "Left out") != (one.says != "") {
			t.Errorf("%s: %q, %q are not in %s", one.query, one.lines, one.says, said)
		}
	}
	l.Page(at+"/files?exclude=toys", http.StatusBadRequest)
	// What is in no total is not among the functions that never ran either.
	if said := saidOf(t, l, at+"/files", "files"); !strings.Contains(said, "debug") {
		t.Errorf("debug ran: %s", said)
	}
	if said := saidOf(t, l, at+"/files?exclude=markers", "files"); strings.Contains(said, "debug") {
		t.Errorf("debug is left out, and listed: %s", said)
	}
}

// A list says what its usual order is for, until another is asked for.
func TestOrderSaysWhatFor(t *testing.T) {
	l, at := sourced(t)
	for page, want := range map[string]string{
		"/uncovered": "one test there runs most lines", "/mcdc": "Most conditions missing first",
	} {
		for sort, is := range map[string]bool{"": true, "?sort=function": false, "?sort=name": false} {
			a := l.Get(at+page+sort, "Accept", "text/html")
			if a.StatusCode == http.StatusOK && strings.Contains(a.Text(), want) != is {
				t.Errorf("%s%s says %q: %v", page, sort, want, !is)
			}
		}
	}
}
