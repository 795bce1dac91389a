package covweb_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"proflens/builds/measures"
	"proflens/decode/unidiff"
	"proflens/handlers/webtest"
	"proflens/profile/stored"
)

// What the rules of a project leave out is in no comparison either, and no line of a change, and
// both say so.
func TestComparisonsHeedTheRules(t *testing.T) {
	doc := webtest.Document(t)
	l, at := sourced(t, "project", "app", "visibility", "listed")
	id := at[len("/p/"):]
	pair := "/compare/" + id + "..." + id
	before := l.OK("/api/v1" + pair + "?family=coverage").Object(t)["figures"].(map[string]any)
	if fmt.Sprint(before["compared"]) != "35" || before["left_out"] != nil {
		t.Errorf("without rules %v", before)
	}
	patch := diffOf(t, "src/own.c", "tests/own_test.c")
	if a := l.Do("POST", webtest.API(id)+"/changed", strings.NewReader(patch)).Object(t); fmt.Sprint(a["lines"]) != "27" {
		t.Errorf("without rules %v", a)
	}
	l.Do("PUT", "/api/v1/projects/app/rules",
		strings.NewReader("[coverage]\nexclude = [\"markers\", \"macros\"]\nwithout = [\"tests\"]"))
	const left = "Totals of 2 of 3 files. Left out by markers and macros: 6 lines, 9 regions"
	all := l.OK("/api/v1" + pair + "?family=coverage")
	webtest.Validate(t, doc, "/api/v1/compare/{pair}", all)
	figures := all.Object(t)["figures"].(map[string]any)
	if said, _ := figures["left_out"].(string); fmt.Sprint(figures["compared"]) != "20" || !strings.HasPrefix(said, left) {
		t.Errorf("with rules %v", figures)
	}
	if lines := figures["test_lines"].(map[string]any); fmt.Sprintf("%v %v", lines["covered"], lines["total"]) != "8 20" {
		t.Errorf("of the lines %v", lines)
	}
	if text := l.OK(pair+"?family=coverage", webtest.Terminal...).Text(); strings.Contains(text, "own_test.c") {
		t.Errorf("a file of tests is compared:\n%s", text)
	}
	if text := l.Page(pair+"?family=coverage", 200); !strings.Contains(webtest.Said(text), left) {
		t.Error("the page does not say what is left out")
	}
	if text := l.OK("/api/v1" + pair + "/lines?family=coverage&show=all&format=csv").Text(); strings.Contains(text,
		"own_test.c") || strings.Contains(text, "own.c,8,") {
		t.Errorf("lines that are left out are compared:\n%s", text)
	}

	changed := l.Do("POST", webtest.API(id)+"/changed", strings.NewReader(patch))
	webtest.Validate(t, doc, "/api/v1/profiles/{id}/changed", changed)
	if o := changed.Object(t); fmt.Sprintf("%v %v", o["lines"], o["left_out"]) != "12 15" {
		t.Errorf("of the change %v", o)
	}
	text := l.Do("POST", webtest.API(id)+"/changed?format=text", strings.NewReader(patch)).Text()
	if !strings.Contains(text, "Changed lines with code that are left out: 15.") {
		t.Errorf("a terminal reads\n%s", text)
	}

	opened := func() *stored.Profile {
		e, err := l.Catalog.Entry(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		p, err := l.Catalog.Open(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { p.Close() })
		return p
	}
	diff, err := unidiff.Parse(strings.NewReader(patch))
	if err != nil {
		t.Fatal(err)
	}
	set, err := measures.Changed(t.Context(), opened(), diff, nil)
	if v := set["coverage.changed_lines_coverage"]; err != nil || v.Of != 12 || v.LeftOut == "" {
		t.Errorf("measured is %+v; %v", v, err)
	}
	set, err = measures.Between(t.Context(), opened(), opened())
	if v := set["coverage.lines_lost"]; err != nil || !strings.HasPrefix(v.LeftOut, left) {
		t.Errorf("measured is %+v; %v", v, err)
	}
}

// What markers leave out is neither in the number of a tab nor on the page behind it.
func TestTabsHeedMarkers(t *testing.T) {
	for _, one := range []struct{ label, tab, says string }{
		{"-", "Never ran 3", "3 functions never ran, 16 lines."},
		{"markers", "Never ran 2", "2 functions never ran, 11 lines, 1 left out."},
	} {
		l, at := sourced(t, "visibility", "listed", "label", "coverage_exclude="+one.label)
		text := webtest.Said(l.Page(at+"/uncovered", 200))
		if !strings.Contains(text, one.tab) || !strings.Contains(text, one.says) {
			t.Errorf("%s: neither %q nor %q is in %s", one.label, one.tab, one.says, text)
		}
		if is := strings.Contains(text, "left out here, too"); is != (one.label != "-") {
			t.Errorf("%s: what counts more says so: %v: %s", one.label, is, text)
		}
		if is := strings.Contains(text, "debug"); is != (one.label == "-") {
			t.Errorf("%s: debug is listed: %v", one.label, is)
		}
		csv := l.OK(webtest.API(at[len("/p/"):]) + "/coverage/functions?state=never&format=csv").Text()
		if !strings.Contains(csv, "debug") {
			t.Errorf("%s: the table for scripts is without debug:\n%s", one.label, csv)
		}
	}
}

// The list at home has the figure that the label of a profile without a project asks for.
func TestListHeedsTheLabel(t *testing.T) {
	l, _ := sourced(t, "visibility", "listed", "label", "coverage_exclude=markers,macros", "label",
		"coverage_without=tests")
	l.Measuring(t)
	for !strings.Contains(saidOf(t, l, "/?q=kinds", "profiles"), "40.0 % of lines") {
		time.Sleep(50 * time.Millisecond)
	}
}

// What became covered is better, and what did not worse: neither has the colours of counts.
func TestGainsAreBetter(t *testing.T) {
	l := webtest.Start(t, nil)
	there, _ := pair(t, l, zero)
	a, b, _ := strings.Cut(there[len("/compare/"):], "...")
	for path, word := range map[string]string{there: "worse", "/compare/" + b + "..." + a: "better"} {
		text := l.OK(path+"?family=coverage", "Accept", "text/html").Text()
		for _, class := range []string{"change-" + word, "change-fill-" + word, "dumbbell-" + word} {
			if !strings.Contains(text, class+`"`) {
				t.Errorf("%s has nothing of class %s", path, class)
			}
		}
		if strings.Contains(text, "change-more") || strings.Contains(text, "change-less") {
			t.Errorf("%s has the colours of counts", path)
		}
	}
}

// Of a project's curves those of coverage come first, whatever else its profiles have.
func TestCoverageComesFirst(t *testing.T) {
	l, _ := sourced(t, "project", "app", "visibility", "listed")
	l.Measuring(t)
	for {
		var families []string
		for _, link := range webtest.All(l.Page("/projects/app", 200), webtest.Tag("a")) {
			if to, err := url.Parse(webtest.Attr(link, "href")); err == nil && to.Query().Has("measure") {
				family, _, _ := strings.Cut(to.Query().Get("measure"), ".")
				families = append(families, family)
			}
		}
		if n := len(slices.Compact(families)); n < 2 {
			time.Sleep(20 * time.Millisecond)
			continue
		}
		if families[0] != "coverage" {
			t.Errorf("the curves are of %v", families)
		}
		return
	}
}

// diffOf is a diff that adds all lines of some of the sources.
func diffOf(t *testing.T, names ...string) string {
	t.Helper()
	var b strings.Builder
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(testdata, "clang-22/kinds", name))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")
		fmt.Fprintf(&b, "--- /dev/null\n+++ b/%s\n@@ -0,0 +1,%d @@\n+%s\n", name, len(lines), strings.Join(lines, "+"))
	}
	return b.String()
}

// The tabs count what the rules of a project leave, as do the pages that they lead to.
func TestTabsHeedTheRules(t *testing.T) {
	l, at := sourced(t, "project", "app", "visibility", "listed")
	counts := func() (list []string) {
		for _, a := range webtest.All(webtest.ByTestID(t, l.Page(at, 200), "tabs"), webtest.Tag("a")) {
			label, n, _ := strings.Cut(webtest.Said(a), " ")
			href := webtest.Attr(a, "href")
			if strings.HasPrefix(href, at+"/files") || strings.HasPrefix(href, at+"/uncovered") {
				list = append(list, label+" "+n)
			}
			if strings.HasPrefix(href, at+"/uncovered") {
				if says := saidOf(t, l, href, "says"); !strings.HasPrefix(says, n[strings.LastIndexByte(n, ' ')+1:]+" function") {
					t.Errorf("%s says %s, its tab %s", href, says, n)
				}
			}
		}
		return list
	}
	before := counts()
	l.Do("PUT", "/api/v1/projects/app/rules", strings.NewReader("[coverage]\nwithout = [\"tests\", \"dependencies\"]"))
	if after := counts(); slices.Equal(before, after) || after[0] != "Files 1" {
		t.Errorf("without rules %v, with them %v", before, after)
	}
}
