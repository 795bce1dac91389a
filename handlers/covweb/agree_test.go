package covweb_test

import (
	"encoding/json"
	"fmt"
	"regexp"
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
