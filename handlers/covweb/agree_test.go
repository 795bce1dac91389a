package covweb_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"proflens/handlers/webtest"
	"proflens/internal/humanize"
)

// What the cells of a page say, and the inspector of a row, the API says too.
func TestCoveragePagesAgreeWithTheAPI(t *testing.T) {
	l := webtest.Start(t, nil)
	shares := []string{
		"percent=lines_share", "total=lines", "lines", "regions=regions_share", "branches=branches_share", "mcdc=mcdc_share",
		"functions=functions_share", "instantiations=instantiations_share",
	}
	for _, test := range []struct {
		files []string
		paths map[string]int // the least rows
	}{
		{[]string{"clang-22/rules/rules.profdata", "clang-22/rules/rules.exe"}, map[string]int{
			"/files": 2, "/files?sort=-branches": 2, "/uncovered": 1, "/mcdc?sort=file": 16, "/mcdc?missing=true&sort=file": 9,
		}},
		{[]string{"joined/stale.profdata", "joined/stale.exe"}, map[string]int{"/files": 1, "/uncovered": 1, "/misfits": 2}},
		{[]string{"clang-22/dup/dup.profdata", "clang-22/dup/dup.exe"}, map[string]int{"/misfits": 1}},
	} {
		base := put(l, test.files...)
		for path, least := range test.paths {
			var rows []webtest.GridRow
			var items []map[string]any
			switch {
			case strings.HasPrefix(path, "/files"):
				rows, items = l.Agree(base+path, shares...)
			case strings.HasPrefix(path, "/uncovered"):
				rows, items = l.Agree(base+path, "total=lines", "file")
			default:
				rows = webtest.Grid(l.Page(base+path, 200))
				sign := map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")]
				for _, item := range l.OK(base + path + sign + "format=json").Object(t)["items"].([]any) {
					items = append(items, item.(map[string]any))
				}
			}
			if len(rows) < least || len(items) != len(rows) {
				t.Errorf("%s%s: %d rows and %d items, want %d", base, path, len(rows), len(items), least)
			}
			for i := range min(len(rows), len(items)) {
				row, item := rows[i], items[i]
				number := func(key string) int { return webtest.Number(t, item, key) }
				want := map[string]string{}
				switch path, _, _ := strings.Cut(path, "?"); path {
				case "/files":
					want["missing"] = humanize.Int(number("lines") - number("lines_covered"))
				case "/mcdc":
					want["mcdc"] = fmt.Sprintf("%d of %d", number("conditions_covered"), number("conditions"))
					if number("conditions_covered") == number("conditions") {
						want["mcdc"] = row.Cells["mcdc"]
					}
					file := item["file"].(string)
					want["file"] = fmt.Sprint(file[strings.LastIndexByte(file, '/')+1:], ":", item["line"])
					vectors := len(item["vectors"].([]any))
					want["vectors"] = fmt.Sprint(vectors)
					holdDecision(t, l, row, item)
				case "/misfits":
					if hash, _ := item["func_hash"].(string); !strings.Contains(row.Cells["func_hash"], hash) {
						t.Errorf("%s: row %d has %v, %v in the API", path, i, row.Cells, item)
					}
				}
				for column, text := range want {
					got, _, _ := strings.Cut(row.Cells[column], " used at ")
					if got != strings.ReplaceAll(text, humanize.NumberSpace, " ") {
						t.Errorf("%s: %s of row %d is %q, want %q", path, column, i, got, text)
					}
				}
			}
		}
	}
}

// ofFile is what stands behind a place in a macro of another file.
var ofFile = regexp.MustCompile(`, \S+:\d+`)

// holdDecision holds the inspector of a decision against the API: its conditions, which of them a pair of
// vectors shows to matter, and the vectors.
func holdDecision(t *testing.T, l *webtest.Server, row webtest.GridRow, item map[string]any) {
	t.Helper()
	facts := webtest.Facts(l, row.At)
	conditions, missing := "", ""
	for i, c := range item["list"].([]any) {
		c := c.(map[string]any)
		at := fmt.Sprintf("C%d at %s:%s", i+1, c["line"], c["column"])
		switch pair, _ := c["pair"].([]any); {
		case c["folded"] == true:
			conditions += at + " known to the compiler "
		case len(pair) == 2:
			conditions += fmt.Sprintf("%s shown by vectors %s and %s ", at, pair[0], pair[1])
		default:
			conditions += at + " ○ not shown to matter "
			missing += at + " "
		}
	}
	vectors := ""
	for i, v := range item["vectors"].([]any) {
		v := strings.NewReplacer("-", "–").Replace(v.(string))
		values, result, _ := strings.Cut(v, "=")
		vectors += fmt.Sprint(i+1, ": ", strings.Join(strings.Split(values, ""), " "), " → ", result, " ")
	}
	for head, want := range map[string]string{"Conditions": conditions, "Vectors that ran": vectors} {
		if got := ofFile.ReplaceAllString(facts[head]+" ", ""); strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%s of %v:%v are %q, want %q", head, item["file"], item["line"], got, want)
		}
	}
	got := ofFile.ReplaceAllString(row.Cells["missing"], "")
	if !strings.HasPrefix(missing, strings.TrimSuffix(got, "…")) && !strings.Contains(got, " more") {
		t.Errorf("missing of %v:%v are %q, want %q", item["file"], item["line"], got, missing)
	}
	if n := item["conditions_covered"].(json.Number); !webtest.Numbered(facts["Conditions covered"], n) {
		t.Errorf("%q conditions covered, want %s", facts["Conditions covered"], n)
	}
}

// Two profiles compared by lines say on the page what they say in the API.
func TestComparedLinesAgreeWithTheAPI(t *testing.T) {
	l := webtest.Start(t, nil)
	id := func(paths ...string) string { return strings.TrimPrefix(put(l, paths...), "/p/") }
	rules := id("clang-22/rules/rules.profdata", "clang-22/rules/rules.exe")
	stale := id("joined/stale.profdata", "joined/stale.exe")
	dup := id("clang-22/dup/dup.profdata", "clang-22/dup/dup.exe")
	for _, pair := range [][2]string{{rules, stale}, {stale, dup}, {dup, rules}, {rules, rules}} {
		path := "/compare/" + pair[0] + "..." + pair[1] + "?family=coverage"
		object, page := l.OK("/api/v1"+path).Object(t), l.Page(path, 200)
		figures, said := object["figures"].(map[string]any), webtest.Said(page)
		plural := func(n int) string {
			return strings.ReplaceAll(humanize.Plural(n, "line"), humanize.NumberSpace, " ")
		}
		var want []string
		for side, key := range map[string]string{"In A ": "base_lines", "in B ": "test_lines"} {
			m := figures[key].(map[string]any)
			want = append(want, fmt.Sprint(side, m["covered"], " of ", plural(webtest.Number(t, m, "total"))))
		}
		for side, key := range map[string]string{" of A": "base_not_compared", " of B": "test_not_compared"} {
			if n := webtest.Number(t, figures[key].(map[string]any), "total"); n > 0 {
				want = append(want, "Not compared, since the other has not the same code: ", plural(n)+side)
			}
		}
		switch turned := webtest.Number(t, figures, "newly_covered") + webtest.Number(t, figures, "newly_uncovered"); {
		case webtest.Number(t, figures, "compared") == 0 && slices.ContainsFunc(object["items"].([]any), inBoth):
			want = append(want, "No line can be compared.")
		case webtest.Number(t, figures, "compared") == 0:
			want = []string{"The two have no file in common."}
			if strings.Contains(said, "Not compared") {
				t.Errorf("%s says more of two programs than that: %s", path, said)
			}
		case turned > 0:
			want = append(want, fmt.Sprint(figures["newly_covered"], " line"),
				fmt.Sprint(figures["newly_uncovered"], " newly unc"))
		case pair[0] == pair[1]:
			want = append(want, "The same lines ran.")
		}
		for _, says := range want {
			if !strings.Contains(said, says) {
				t.Errorf("%s does not say %q", path, says)
			}
		}
		for i, row := range webtest.Grid(page) {
			item := object["items"].([]any)[i].(map[string]any)
			for _, column := range []string{"newly_covered", "newly_uncovered", "not_compared"} {
				text := row.Cells[column]
				if n := item[column].(json.Number); n == "0" && text != "–" || n != "0" && !webtest.Numbered(text, n) {
					t.Errorf("%s: %s of row %d is %q, %s in the API", path, column, i, text, n)
				}
			}
			for _, side := range []string{"base", "test"} {
				n, ok := item[side+"_share"].(json.Number)
				if text := row.Cells[side]; !ok && text != "–" || ok && !webtest.Numbered(text, n) {
					t.Errorf("%s: %s of row %d is %q, %v in the API", path, side, i, text, n)
				}
			}
			alone := item["base_share"] == nil || item["test_share"] == nil
			if alone != (row.Cells["share_change"] == "–") {
				t.Errorf("%s: the share of row %d changes by %q", path, i, row.Cells["share_change"])
			}
		}
	}
}

func inBoth(item any) bool {
	of := item.(map[string]any)
	return of["base_share"] != nil && of["test_share"] != nil
}

// A page of the lines of two profiles that has none says so.
func TestLinesOfTwoProfiles(t *testing.T) {
	l := webtest.Start(t, nil)
	id := func(paths ...string) string { return strings.TrimPrefix(put(l, paths...), "/p/") }
	rules := id("clang-22/rules/rules.profdata", "clang-22/rules/rules.exe")
	for query, none := range map[string]bool{
		"turned": false, "all": false, "all&limit=10&page=2": false, "all&page=99": true,
	} {
		path := "/compare/" + rules + "..." + rules + "/lines?family=coverage&file=rules.c&show=" + query
		said := webtest.Said(l.Page(path, 200))
		if got := strings.Contains(said, "There is no page 99") || strings.Contains(said, "No lines"); got != none {
			t.Errorf("%s says that there are no lines: %v", path, got)
		}
	}
}

// Directories open by what the address says, and there is a tab for what the profile has.
func TestFilesOpen(t *testing.T) {
	l := webtest.Start(t, nil)
	dup := put(l, "clang-22/dup/dup.profdata", "clang-22/dup/dup.exe")
	for query, want := range map[string]string{
		"?open=-": "a/ 1 file|b/ 1 file", "?open=a": "a/ 1 file|util.c|b/ 1 file",
		"?open=a,b": "a/ 1 file|util.c|b/ 1 file|util.c",
	} {
		var got []string
		for _, row := range webtest.Grid(webtest.ByTestID(t, l.Page(dup+"/files"+query, 200), "files")) {
			name := strings.TrimLeft(row.Cells["path"], "▾▸ ")
			if strings.HasPrefix(name, "a/") || strings.HasPrefix(name, "b/") || name == "util.c" {
				got = append(got, name)
			}
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	said := func(path string) string { return webtest.Said(l.Page(path, 200)) }
	if strings.Contains(said(dup+"/files"), "smaller ones are not drawn") {
		t.Error("all files are drawn, and the page says otherwise")
	}
	rules := put(l, "clang-22/rules/rules.profdata", "clang-22/rules/rules.exe")
	for base, has := range map[string]bool{dup: false, rules: true} {
		tabs := webtest.Said(webtest.ByTestID(t, l.Page(base, 200), "tabs"))
		if strings.Contains(tabs, "MC/DC") != has {
			t.Errorf("%s has the tabs %q", base, tabs)
		}
	}
}
