package covweb_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/analyze/coverage/coveragetest"
	"proflens/handlers/webtest"
)

// comparedLine is a row of the page of a file of two profiles: its lines, counts and what turned; or how many
// lines a row stands for, and where it leads.
type comparedLine struct {
	line, count [2]string
	turn        string
	gap         bool
	folded      int
	unfold      string
}

func comparedLines(t *testing.T, doc *html.Node) (list []comparedLine) {
	t.Helper()
	for _, tr := range webtest.All(webtest.ByTestID(t, doc, "lines"), webtest.Tag("tr"))[1:] {
		cells := webtest.All(tr, webtest.Tag("td"))
		if len(cells) == 1 {
			words := strings.Fields(webtest.Said(cells[0]))
			n, _ := strconv.Atoi(words[1])
			list = append(list, comparedLine{
				folded: n, unfold: webtest.Attr(webtest.All(cells[0], webtest.Tag("a"))[0], "href"),
			})
			continue
		}
		l := comparedLine{}
		for side := range 2 {
			l.line[side] = webtest.Said(cells[side])
			words := strings.Fields(webtest.Said(cells[3+side]))
			if len(words) > 0 {
				l.count[side] = words[len(words)-1]
			}
		}
		for _, span := range webtest.All(cells[2], webtest.Tag("span")) {
			l.turn = webtest.Attr(span, "aria-label")
		}
		for _, a := range tr.Attr {
			l.gap = l.gap || a.Key == "data-gap"
		}
		list = append(list, l)
	}
	return list
}

// A file of two profiles has on its page every line of each side with its count there, and what turned by
// these; folded, what did not change is behind as many links as there are rows of it, which lead to it.
func TestComparedLinesAreThoseOfTheirSides(t *testing.T) {
	l := webtest.Start(t, nil)
	dir, _ := coveragetest.Unpack(t)
	const at = "clang-22/rules/rules"
	whole := giveSources(t, l, dir, []string{at + ".profdata", at + ".exe"}, "src/", []string{"rules/rules.c"})
	text, n := l.OK(strings.Replace(whole, "/p/", "/api/v1/profiles/", 1)+"/export/proftext").Text(), 0
	changed := ofCounters(text, func(count string) string { // of every third function
		if count == "" {
			n++
		}
		return map[bool]string{true: count, false: map[bool]string{true: "7", false: "0"}[count == "0"]}[n%3 > 0]
	})
	program := webtest.Files(t, dir, at+".exe")
	other := webtest.Page(l.Together(append(program, "run.proftext", []byte(changed))...))
	bare := webtest.Page(l.Together(append(program, "same.proftext", []byte(text))...))
	id := func(page string) string { return strings.TrimPrefix(page, "/p/") }
	for _, pair := range [][2]string{{whole, other}, {other, whole}, {other, bare}, {bare, whole}} {
		counts := [2]map[string]json.Number{{}, {}}
		for side, page := range pair {
			lines := l.OK(webtest.API(id(page)) + "/coverage/lines?limit=1000&file=rules.c").Object(t)["items"]
			for _, item := range lines.([]any) {
				item := item.(map[string]any)
				counts[side][fmt.Sprint(item["line"])] = item["count"].(json.Number)
			}
		}
		path := "/compare/" + id(pair[0]) + "..." + id(pair[1]) + "/lines?family=coverage&file=rules.c"
		doc := l.Page(path+"&show=all", http.StatusOK)
		all := comparedLines(t, doc)
		text := pair[0] == whole || pair[1] == whole
		if said := webtest.Said(doc); strings.Contains(said, "No source text for this file.") == text {
			t.Errorf("%s says that there is no text: %v", path, text)
		}
		seen, gaps, last := [2]int{}, 0, ""
		for _, row := range all {
			for side := range 2 {
				count, ok := counts[side][row.line[side]]
				if ok {
					seen[side]++
				}
				if got := row.count[side]; ok && !webtest.Numbered(got, count) || !ok && got != "" {
					t.Errorf("%s: line %s has %q on side %d, want %q", path, row.line[side], got, side, count)
				}
			}
			turn := ""
			switch was, is := counts[0][row.line[0]], counts[1][row.line[1]]; {
			case was == "0" && is != "0" && is != "":
				turn = "newly covered"
			case is == "0" && was != "0" && was != "":
				turn = "newly uncovered"
			}
			if row.turn != turn {
				t.Errorf("%s: line %s is %q, want %q", path, row.line[1], row.turn, turn)
			}
			if turn != "" && turn != last {
				gaps++
			}
			if row.gap != (turn != "" && turn != last) {
				t.Errorf("%s: line %s begins a change: %v", path, row.line[1], row.gap)
			}
			last = turn
		}
		if seen[0] != len(counts[0]) || seen[1] != len(counts[1]) || (gaps == 0) != (pair[0] == bare) {
			t.Errorf("%s has %v lines of %d and %d, and %d changes", path, seen, len(counts[0]), len(counts[1]), gaps)
		}
		rows := 0
		for _, row := range comparedLines(t, l.Page(path, http.StatusOK)) {
			if row.folded == 0 {
				if row.line != all[rows].line || row.turn != all[rows].turn {
					t.Errorf("%s: row %d is %v, want %v", path, rows, row, all[rows])
				}
				rows++
				continue
			}
			for _, hidden := range all[rows : rows+row.folded] {
				if hidden.turn != "" {
					t.Errorf("%s hides what is %s in line %s", path, hidden.turn, hidden.line[1])
				}
			}
			rows += row.folded
		}
		if rows != len(all) {
			t.Errorf("%s has or hides %d of %d rows", path, rows, len(all))
		}
		rows = 0
		for page := 1; rows < len(all); page++ { // what is hidden is on the page that the row leads to
			list := comparedLines(t, l.Page(fmt.Sprint(path, "&limit=6&page=", page), http.StatusOK))
			for _, row := range list {
				if row.folded == 0 {
					rows++
					continue
				}
				found := false
				for _, to := range comparedLines(t, l.Page(row.unfold, http.StatusOK)) {
					found = found || to.line == all[rows].line
				}
				if !found {
					t.Errorf("%s: %s does not have the line %v", path, row.unfold, all[rows].line)
				}
				rows += row.folded
			}
			if len(list) == 0 || page > 100 {
				t.Fatalf("%s: page %d has no rows after %d of %d", path, page, rows, len(all))
			}
		}
	}
}
