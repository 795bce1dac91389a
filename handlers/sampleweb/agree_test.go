package sampleweb_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"proflens/handlers/webtest"
	"proflens/internal/humanize"
)

// What the cells of a page say, and the inspector of a row, the API says too.
func TestSamplePagesAgreeWithTheAPI(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, files := range [][]string{
		{"llvm-22/line.ext.afdo", "programs/lines.elf"}, {"llvm-22/contexts.ext.afdo"}, {"llvm-22/probe_text.ext.afdo"},
		{"llvm-22/partial_md5.ext.afdo"},
	} {
		at := webtest.PutSamples(l, files...)
		base := strings.Replace(at, "/api/v1/profiles", "/p", 1)
		tabs := webtest.ByTestID(t, l.Page(base, 200), "tabs")
		for _, a := range webtest.All(tabs, webtest.Tag("a")) {
			path := webtest.Attr(a, "href")
			switch strings.TrimPrefix(path, base+"/") {
			case base, "downloads", "raw", "diagnostics", "flame", "files", "stale":
				continue
			}
			rows, items := l.Agree(path, "total-share=share", "place", "name", "caller", "callee")
			for _, i := range []int{0, len(rows) / 2, len(rows) - 1} {
				if rows[i].At == "" || !strings.HasSuffix(path, "/functions") {
					continue
				}
				facts, item := webtest.Facts(l, rows[i].At), items[i]
				for term, key := range map[string]string{
					"Total": "total", "Own samples": "body", "Head": "head", "Entries": "entry", "Largest count": "max",
					"Inlined into it": "inlinees", "Where inlined": "inlined", "Calls to it": "calls",
				} {
					if n, ok := item[key].(json.Number); ok && facts[term] != "" && !webtest.Numbered(facts[term], n) {
						t.Errorf("%s: %s of row %d is %q, %s in the API", path, term, i, facts[term], n)
					}
				}
				if facts["Total"] == "" || facts["Largest count"] == "" || !strings.HasPrefix(rows[i].Cells["name"], facts[""]) {
					t.Errorf("%s: row %d is %v, in the inspector %v", path, i, rows[i].Cells, facts)
				}
				holdFunction(t, l, at, base, item)
			}
		}
	}
}

// holdFunction holds the page of a function against what the API says of it.
func holdFunction(t *testing.T, l *webtest.Server, at, base string, item map[string]any) {
	t.Helper()
	fid := fmt.Sprint(item["fid"])
	page := l.Page(base+"/functions/"+fid, 200)
	said := webtest.Said(page)
	one := l.OK(at + "/functions/" + fid).Object(t)
	for _, key := range []string{"total", "body", "head", "max"} {
		n, ok := one[key].(json.Number)
		if !ok {
			continue
		}
		text := strings.ReplaceAll(humanize.BigCount(n.String()).Text, humanize.NumberSpace, " ")
		if !strings.Contains(said, text) {
			t.Errorf("%s/functions/%s does not say that %s is %s", base, fid, key, text)
		}
	}
}

// Two profiles compared say on the page what they say in the API.
func TestComparedSamplesAgreeWithTheAPI(t *testing.T) {
	l := webtest.Start(t, nil)
	id := func(path string) string { return strings.TrimPrefix(webtest.PutSamples(l, path), "/api/v1/profiles/") }
	a, b := id("llvm-22/line.ext.afdo"), id("llvm-22/contexts.ext.afdo")
	for _, pair := range [][2]string{{a, b}, {b, a}} {
		path := "/compare/" + pair[0] + "..." + pair[1]
		object := l.OK("/api/v1" + path).Object(t)
		page := l.Page(path, 200)
		items := object["items"].([]any)
		rows := webtest.Grid(page)
		for i := range min(len(rows), len(items)) {
			row, item := rows[i], items[i].(map[string]any)
			var shares [2]float64
			for n, side := range []string{"base", "test"} {
				share, ok := item[side+"_share"].(json.Number)
				if text, has := row.Cells[side]; has && (!ok && text != "–" || ok && !webtest.Numbered(text, share)) {
					t.Errorf("%s: row %d has %v, %v in the API", path, i, row.Cells, item)
				}
				shares[n], _ = share.Float64()
				total, ok := item[side+"_total"].(json.Number)
				if text, has := row.Cells[side+"_total"]; has && ok && !webtest.Numbered(text, total) {
					t.Errorf("%s: row %d has a total of %q, %s in the API", path, i, text, total)
				}
			}
			want := humanize.Points(shares[1]-shares[0], 2)
			if got := row.Cells["change"]; !strings.HasPrefix(got, want[:len(want)-1]) {
				t.Errorf("%s: row %d changes by %q, want %q", path, i, got, want)
			}
		}
		l.ComparedLinks(path, pair[0], pair[1])
		if len(rows) == 0 {
			t.Errorf("%s has no rows of %d", path, len(items))
		}
	}
}

// Functions are suggested by their words, and found in other profiles of the program.
func TestSampledFunctionsAreFound(t *testing.T) {
	l := webtest.Start(t, nil)
	l.Suggested(webtest.PutSamples(l, "llvm-22/line.ext.afdo"), "/functions", "demangled", "")
	of := func(name string) string {
		return l.InProject("p", webtest.Files(t, webtest.Root()+"/decode/sampleprof/testdata", name)...)
	}
	one, two := of("llvm-22/line.ext.afdo"), of("llvm-22/contexts.ext.afdo")
	if n := l.Elsewhere(one, two, "total") + l.Elsewhere(two, one, "total"); n < 8 {
		t.Errorf("%d functions are found elsewhere", n)
	}
}
