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

// The overview says in words and figures what the API has of the profile and of its program.
func TestSampleOverviewAgreesWithTheAPI(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, files := range [][]string{
		{"llvm-22/line.ext.afdo"}, {"llvm-22/line.ext.afdo", "programs/lines.elf"},
		{"llvm-22/line.ext.afdo", "programs/changed.elf"}, {"llvm-22/partial_md5.ext.afdo"},
	} {
		at := webtest.PutSamples(l, files...)
		doc := l.Page(strings.Replace(at, "/api/v1/profiles", "/p", 1), 200)
		said, of := webtest.Said(doc), l.OK(at).Object(t)["sample"].(map[string]any)
		number := func(path string) int {
			object, keys := of, strings.Split(path, ".")
			for _, key := range keys[:len(keys)-1] {
				object = object[key].(map[string]any)
			}
			return webtest.Number(t, object, keys[len(keys)-1])
		}
		part := func(n, whole int) string { return humanize.Percent(float64(n)/float64(whole), 1) }
		all, zero := number("places.all"), number("places.zero")
		want := []string{
			humanize.Count(uint64(number("samples"))).Text + " sum of all counts",
			humanize.Int(number("functions")) + " " + humanize.Int(number("sampled")) + " with inlined ones",
			part(number("inlined"), number("samples")) + " of the samples are in inlined bodies",
			part(zero, all) + " of " + humanize.Plural(all, "place has", "places have") + " no sample",
			part(number("places.one"), all-zero) + " of the others have one",
			humanize.Int(number("quality.heads")) + " head samples",
		}
		if program, ok := of["program"].(map[string]any); ok && program["fits"] != nil {
			sampled, defined := number("program.defined_sampled"), number("program.defined")
			want = append(want, humanize.Int(sampled)+" of "+humanize.Int(defined)+" functions in the program have samples, "+
				part(sampled, defined))
			for _, fit := range []string{"stale", "gone"} {
				if n := number("program.fits." + fit + ".functions"); n > 0 {
					want = append(want, part(number("program.fits."+fit+".samples"), number("samples")))
				}
			}
		}
		for _, says := range want {
			if !strings.Contains(said, strings.ReplaceAll(says, humanize.NumberSpace, " ")) {
				t.Errorf("%v: the overview does not say %q", files, says)
			}
		}
		items := l.OK(at + "/functions?limit=20").Object(t)["items"].([]any)
		i := 0
		for _, row := range webtest.Grid(doc) {
			if row.Cells["rank"] == "" || i >= len(items) {
				continue
			}
			item := items[i].(map[string]any)
			for _, column := range []string{"rank", "total", "share", "head", "inlinees"} {
				if n, ok := item[column].(json.Number); ok && !webtest.Numbered(row.Cells[column], n) {
					t.Errorf("%v: %s of row %d is %q, %s in the API", files, column, i, row.Cells[column], n)
				}
			}
			i++
		}
		if i < min(len(items), 10) {
			t.Errorf("%v: %d rows of %d", files, i, len(items))
		}
	}
}
