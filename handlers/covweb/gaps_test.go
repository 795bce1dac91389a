package covweb_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/analyze/coverage/coveragetest"
	"proflens/handlers/webtest"
	"proflens/internal/humanize"
)

// stateOf is what a file's page says of a line, by its class: "no", "part", "ran", or nothing.
func statesOf(page *html.Node) map[int]string {
	states := map[int]string{}
	for _, tr := range webtest.All(page, webtest.Tag("tr")) {
		if webtest.Attr(tr, "data-select") == "" {
			continue
		}
		n, _ := strconv.Atoi(webtest.Said(webtest.All(tr, webtest.Tag("th"))[0]))
		states[n] = ""
		if _, state, ok := strings.Cut(webtest.Attr(tr, "class"), "s-"); ok {
			states[n], _, _ = strings.Cut(state, " ")
		}
	}
	return states
}

// Gaps are lines on end that did not run whole: the keys lead from one to the next, the map has each, and
// with the rest folded all of them are in sight, with the lines around. Beside them are the functions, as
// the API has them.
func TestGapsOfAFile(t *testing.T) {
	l := webtest.Start(t, nil)
	dir, _ := coveragetest.Unpack(t)
	for _, one := range []struct{ program, file, sources string }{
		{"clang-22/rules", "rules.c", ""}, {"clang-15/shapes", "shape.hpp", "shapes/shape.hpp"},
	} {
		name := filepath.Base(one.program)
		var sources []string
		if one.sources != "" {
			sources = append(sources, one.sources)
		}
		at := giveSources(t, l, dir, []string{one.program + "/" + name + ".profdata", one.program + "/" + name + ".exe"},
			"src/", sources)
		path := at + "/files/" + one.file
		page := l.Page(path, http.StatusOK)
		states := statesOf(page)
		if one.sources == "" { // blank lines are folded, and shown by an API that has those with code alone
			states = map[int]string{}
			for _, item := range l.OK(webtest.API(at[len("/p/"):]) + "/coverage/lines?limit=1000&file=" + one.file).
				Object(t)["items"].([]any) {
				item := item.(map[string]any)
				states[webtest.Number(t, item, "line")] = map[string]string{"covered": "ran", "partly": "part",
					"uncovered": "no", "missed": "no", "ran": "ran"}[fmt.Sprint(item["state"])]
			}
		}
		if one.sources == "" {
			holdRibbons(t, path, page)
		}
		var gaps [][]int // the lines of each
		open := false
		last := slices.Max(slices.Collect(func(yield func(int) bool) {
			for n := range states {
				if !yield(n) {
					return
				}
			}
		}))
		for n := 1; n <= last; n++ {
			switch states[n] {
			case "ran":
				open = false
			case "part", "no":
				if !open {
					gaps, open = append(gaps, nil), true
				}
				gaps[len(gaps)-1] = append(gaps[len(gaps)-1], n)
			}
		}
		if len(gaps) < 2 {
			t.Fatalf("%s has %d gaps: %v", path, len(gaps), states)
		}
		holdGaps(t, l, path, page, gaps)
		holdFolds(t, l, path, gaps, states, last)
		holdFunctions(t, l, at, path, one.file)
	}
}

// holdRibbons holds the drawings of lines without text: one of a line that never ran is hatched, of
// one that ran whole nowhere; each is drawn up to where the next begins.
func holdRibbons(t *testing.T, path string, page *html.Node) {
	t.Helper()
	states := statesOf(page)
	for _, tr := range webtest.All(page, webtest.Tag("tr")) {
		if webtest.Attr(tr, "data-select") == "" {
			continue
		}
		line, _ := strconv.Atoi(webtest.Said(webtest.All(tr, webtest.Tag("th"))[0]))
		rects := webtest.All(tr, webtest.Tag("rect"))
		hatched, end := 0, 0.0
		for _, r := range rects {
			if webtest.Attr(r, "fill") != "" {
				hatched++
			}
			x, _ := strconv.ParseFloat(strings.TrimSuffix(webtest.Attr(r, "x"), "%"), 64)
			width, _ := strconv.ParseFloat(strings.TrimSuffix(webtest.Attr(r, "width"), "%"), 64)
			if x < end || width <= 0 || x+width > 100 {
				t.Errorf("%s: line %d is drawn from %v, %v wide, after %v", path, line, x, width, end)
			}
			end = x + width
		}
		switch state := states[line]; {
		case state == "" && len(rects) > 0, state != "" && len(rects) == 0, state == "no" && hatched == 0,
			state == "ran" && hatched > 0:
			t.Errorf("%s: line %d, %q, is drawn as %d pieces, %d of them hatched", path, line, state, len(rects), hatched)
		}
	}
}

func holdGaps(t *testing.T, l *webtest.Server, path string, page *html.Node, gaps [][]int) {
	t.Helper()
	lines := 0
	var titles []string
	for _, g := range gaps {
		lines += len(g)
		title := fmt.Sprintf("lines %d–%d", g[0], g[len(g)-1])
		if g[0] == g[len(g)-1] {
			title = fmt.Sprint("line ", g[0])
		}
		titles = append(titles, title)
	}
	all := humanize.Plural(len(gaps), "gap")
	want := strings.ReplaceAll(all+", "+humanize.Plural(lines, "line"), humanize.NumberSpace, " ")
	if said := webtest.Said(webtest.ByTestID(t, page, "gaps")); said != want {
		t.Errorf("%s: %q, want %q", path, said, want)
	}
	for query, has := range map[string]bool{"": false, "?from=20": true} { // a part of the file is marked
		marked := webtest.All(webtest.ByTestID(t, l.Page(path+query, http.StatusOK), "minimap"), func(n *html.Node) bool {
			return webtest.Attr(n, "class") == "map-window"
		})
		if (len(marked) > 0) != has {
			t.Errorf("%s%s marks a part of the file: %v", path, query, !has)
		}
	}
	var drawn []string
	for _, a := range webtest.All(webtest.ByTestID(t, page, "minimap"), webtest.Tag("a")) {
		drawn = append(drawn, webtest.Said(webtest.All(a, webtest.Tag("title"))[0]))
	}
	if !slices.Equal(drawn, titles) {
		t.Errorf("%s: the map has %q, want %q", path, drawn, titles)
	}
	for i, g := range gaps {
		for _, sel := range []int{g[0], g[len(g)-1]} {
			doc := l.Page(fmt.Sprint(path, "?sel=", sel), http.StatusOK)
			bar := webtest.ByTestID(t, doc, "gap-bar")
			want := strings.ReplaceAll(fmt.Sprint(i+1, " of ", all), humanize.NumberSpace, " ")
			if said := webtest.Said(bar); !strings.Contains(said, want) {
				t.Errorf("%s: line %d is of gap %q, want %q", path, sel, said, want)
			}
			previous, next := "", ""
			if i > 0 {
				previous = fmt.Sprint("#L", gaps[i-1][0])
			}
			if sel > g[0] {
				previous = fmt.Sprint("#L", g[0])
			}
			if i+1 < len(gaps) {
				next = fmt.Sprint("#L", gaps[i+1][0])
			}
			for at, want := range []string{previous, next} {
				link := webtest.Attr(webtest.All(bar, webtest.Tag("a"))[at], "href")
				if !strings.HasSuffix(link, want) || want == "" && link != "" ||
					want != "" && !strings.Contains(link, "sel="+want[2:]+"#") {
					t.Errorf("%s: from line %d a step leads to %q, want %q", path, sel, link, want)
				}
			}
		}
	}
}

var folded = regexp.MustCompile(`^(\d+)(?:\.\.(\d+))?$`)

// holdFolds holds a page of gaps alone: what is near a gap is in sight, and each line stands there once, by
// itself or in a fold, whose words say how many have code.
func holdFolds(t *testing.T, l *webtest.Server, path string, gaps [][]int, states map[int]string, last int) {
	t.Helper()
	const near = 2
	seen := map[int]bool{}
	for _, tr := range webtest.All(webtest.ByTestID(t, l.Page(path+"?show=gaps", http.StatusOK), "lines"),
		webtest.Tag("tr")) {
		th := webtest.All(tr, webtest.Tag("th"))
		if len(th) != 1 {
			continue
		}
		m := folded.FindStringSubmatch(strings.TrimSpace(webtest.Said(th[0])))
		if m == nil {
			t.Errorf("%s: %q is no line", path, webtest.Said(th[0]))
			continue
		}
		from, _ := strconv.Atoi(m[1])
		to := from
		if m[2] != "" {
			to, _ = strconv.Atoi(m[2])
		}
		code, near2, never := 0, 0, strings.Contains(webtest.Said(tr), "never ran")
		for n := from; n <= to; n++ {
			if seen[n] {
				t.Errorf("%s: line %d is there twice", path, n)
			}
			if seen[n] = true; states[n] != "" {
				code++
			}
			for _, g := range gaps {
				if n >= g[0]-near && n <= g[len(g)-1]+near {
					near2++
				}
			}
		}
		if class := webtest.Attr(tr, "class"); strings.Contains(class, "src-fold") {
			says := humanize.Plural(code, "line")
			if code == 0 {
				says = humanize.Plural(to-from+1, "line") + " without code"
			} else if !never {
				says += ", all covered"
			}
			says = strings.ReplaceAll(says, humanize.NumberSpace, " ")
			if said := strings.Join(strings.Fields(webtest.Said(tr)), " "); !strings.Contains(said, says) {
				t.Errorf("%s: lines %d to %d are folded as %q, want %q", path, from, to, said, says)
			}
			names := webtest.All(tr, webtest.Tag("bdi"))
			if len(names) > 4 || len(names) == 4 && webtest.Said(names[3]) != "…" {
				t.Errorf("%s: lines %d to %d are folded with %d names", path, from, to, len(names))
			}
			if near2 > 0 && !never && code > 0 {
				t.Errorf("%s: lines %d to %d are folded, %d of them near a gap", path, from, to, near2)
			}
			if to-from < 3 {
				t.Errorf("%s: lines %d to %d are folded", path, from, to)
			}
		}
	}
	for n, state := range states {
		if state != "" && !seen[n] {
			t.Errorf("%s: line %d is not there", path, n)
		}
	}
	if !seen[last] {
		t.Errorf("%s: the last line is not there", path)
	}
}

// holdFunctions holds the functions beside a file against the API.
func holdFunctions(t *testing.T, l *webtest.Server, at, path, file string) {
	t.Helper()
	want := map[int][]string{}
	never, spans := 0, map[int]int{}
	for _, item := range l.OK(webtest.API(at[len("/p/"):]) + "/coverage/functions?limit=1000").Object(t)["items"].([]any) {
		item := item.(map[string]any)
		if filepath.Base(fmt.Sprint(item["file"])) != file {
			continue
		}
		line := webtest.Number(t, item, "line")
		lines := fmt.Sprintf("%s/%s", item["lines_covered"], item["lines"])
		if item["count"].(json.Number) == "0" {
			never++
			lines = "○ " + lines
		}
		want[line] = append(want[line], lines)
		spans[line] = webtest.Number(t, item, "end_line")
	}
	said := func(page *html.Node) (list []*html.Node, head string) {
		in := webtest.ByTestID(t, page, "inspector")
		for _, li := range webtest.All(in, webtest.Tag("li")) {
			if webtest.Attr(li.Parent.Parent, "class") == "src-functions" {
				list = append(list, li)
			}
		}
		return list, webtest.Said(in)
	}
	list, head := said(l.Page(path, http.StatusOK))
	all := 0
	for _, lines := range want {
		all += len(lines)
	}
	says := fmt.Sprint("Functions ", all)
	if never > 0 {
		says += fmt.Sprint(", ", never, " never ran")
	}
	if len(list) != all || !strings.HasPrefix(head, says) {
		t.Errorf("%s: %d functions, %.40q; want %q", path, len(list), head, says)
	}
	for _, li := range list {
		words := strings.Fields(webtest.Said(li))
		line, _ := strconv.Atoi(words[0])
		if text := strings.Join(words, " "); !slices.ContainsFunc(want[line], func(s string) bool {
			return strings.HasSuffix(text, " "+s) && strings.Contains(text, "○") == strings.Contains(s, "○")
		}) {
			t.Errorf("%s: a function is %q, want %q", path, text, want[line])
		}
	}
	// The one that has the selected line is marked, from its first line to its last.
	for i, line := range slices.Sorted(maps.Keys(spans)) {
		end := spans[line]
		if i%3 == 2 { // pages take time
			continue
		}
		for n, has := range map[int]bool{line - 1: false, line: true, end: true, end + 1: false} {
			inner := slices.ContainsFunc(slices.Collect(func(yield func(int) bool) {
				for other := range spans {
					if other != line && !yield(other) {
						return
					}
				}
			}), func(other int) bool { return other >= line && other <= n && n <= spans[other] && has })
			if n < 1 || inner {
				continue
			}
			list, _ := said(l.Page(fmt.Sprint(path, "?sel=", n), http.StatusOK))
			marked := false
			for _, li := range list {
				if webtest.Attr(li, "aria-current") == "true" && strings.Fields(webtest.Said(li))[0] == fmt.Sprint(line) {
					marked = true
				}
			}
			if marked != has {
				t.Errorf("%s: the function at line %d is marked at line %d: %v", path, line, n, marked)
			}
		}
	}
}
