package sampleweb_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

const testdata = "decode/sampleprof/testdata"

// putSamples uploads an example.
func putSamples(t *testing.T, l *webtest.Server, path string) (id string) {
	t.Helper()
	return l.Put(filepath.Base(path), example(t, path))["id"].(string)
}

func comparedSamples(t *testing.T, l *webtest.Server, base, test string) (api, page string) {
	t.Helper()
	page = "/compare/" + putSamples(t, l, base) + "..." + putSamples(t, l, test)
	return "/api/v1" + page, page
}

func float(t *testing.T, object map[string]any, key string) float64 {
	t.Helper()
	f, err := object[key].(json.Number).Float64()
	if err != nil {
		t.Fatal(key, err)
	}
	return f
}

var goldenLine = regexp.MustCompile(`(?m)^ +(.+): ([0-9.]+)(%?)$`)

// The figures are those of llvm-profdata overlap --sample, and the functions that are hot
// on one side are as many as it counts.
func TestCompareAsLLVM(t *testing.T) {
	doc, l := webtest.Document(t), webtest.Start(t, nil)
	for _, pair := range [][2]string{
		{"llvm-22/line.afdotext", "llvm-19/line.afdotext"}, {"llvm-22/line.ext.afdo", "llvm-22/weighted.afdo"},
		{"llvm-22/contexts.ext.afdo", "llvm-14/contexts.ext.afdo"}, {"text/nested.afdotext", "text/twice.afdotext"},
	} {
		want := map[string]string{}
		for _, m := range goldenLine.FindAllStringSubmatch(string(example(t, pair[0]+".overlap.golden")), -1) {
			want[m[1]] = m[2]
		}
		api, _ := comparedSamples(t, l, pair[0], pair[1])
		answer := l.OK(api + "?min=0")
		webtest.Validate(t, doc, "/api/v1/compare/{pair}", answer)
		object := answer.Object(t)
		figures := object["figures"].(map[string]any)
		o := figures["overlap"].(map[string]any)
		percent := func(v float64) string { return fmt.Sprintf("%.3f", v*100) }
		sets := func(key, word string) map[string]string {
			s := o[key].(map[string]any)
			return map[string]string{
				strings.TrimSuffix(strings.ToUpper(word[:1])+word[1:], "s") + " overlap": percent(float(t, s, "overlap")),
				"overlap " + strings.ReplaceAll(word, "-", " "):                          fmt.Sprint(s["common"]),
				strings.ReplaceAll(word, "-", " ") + " unique in base profile":           fmt.Sprint(s["base"]),
				strings.ReplaceAll(word, "-", " ") + " unique in test profile":           fmt.Sprint(s["test"]),
			}
		}
		got := map[string]string{
			"Whole program profile similarity":             percent(float(t, o, "similarity")),
			"Whole program sample overlap":                 percent(float(t, o, "samples")),
			"percentage of samples unique in base profile": percent(float(t, o, "unique_base")),
			"percentage of samples unique in test profile": percent(float(t, o, "unique_test")),
			"total samples in base profile":                fmt.Sprint(o["base_samples"]),
			"total samples in test profile":                fmt.Sprint(o["test_samples"]),
		}
		for _, list := range []map[string]string{
			sets("functions", "functions"), sets("hot_functions", "hot-functions"), sets("hot_blocks", "hot-blocks"),
		} {
			for key, value := range list {
				got[key] = value
			}
		}
		for key, value := range want {
			if key != "Program level" && got[key] != value {
				t.Errorf("%v: %s is %q, llvm-profdata says %q", pair, key, got[key], value)
			}
		}
		if strings.Contains(pair[0], "contexts") {
			continue // it counts contexts
		}
		inlined := func(state, heat string) (n int) {
			for _, item := range l.OK(api + "?state=" + state + "&limit=1000").Object(t)["items"].([]any) {
				if item.(map[string]any)[heat] == "hot" {
					n++
				}
			}
			return n
		}
		hot := o["hot_functions"].(map[string]any)
		if n := webtest.Number(t, figures, "hot_base") +
			inlined("inlined_test", "base_heat"); n != webtest.Number(t, hot, "base") {
			t.Errorf("%v: %d functions are hot in the base alone, llvm-profdata says %v", pair, n, hot["base"])
		}
		if n := webtest.Number(t, figures, "hot_test") +
			inlined("inlined_base", "test_heat"); n != webtest.Number(t, hot, "test") {
			t.Errorf("%v: %d functions are hot in the test profile alone, llvm-profdata says %v", pair, n, hot["test"])
		}
	}
}

// By each measure shares come to the whole on both sides, whatever the lengths of the runs;
// backwards changes have the other sign.
func TestCompareSampleShares(t *testing.T) {
	l := webtest.Start(t, nil)
	api, page := comparedSamples(t, l, "llvm-22/line.afdotext", "llvm-22/weighted.afdo")
	for _, by := range []string{"total", "own", "head"} {
		var base, test float64
		for _, item := range l.OK(api + "?by=" + by +
			"&state=matched,changed,only_base,only_test&limit=1000").Object(t)["items"].([]any) {
			row := item.(map[string]any)
			for side, sum := range map[string]*float64{"base_share": &base, "test_share": &test} {
				if row[side] != nil {
					*sum += float(t, row, side)
				}
			}
		}
		if base < 0.9999999 || base > 1.0000001 || test < 0.9999999 || test > 1.0000001 {
			t.Errorf("by %s the shares come to %v and %v", by, base, test)
		}
	}
	walk := l.OK(api + "?q=Grid4walk&by=own").Object(t)["items"].([]any)[0].(map[string]any)
	if walk["base_total"] != json.Number("35523") || walk["base_head"] != json.Number("242") ||
		walk["base_heat"] != "hot" {
		t.Errorf("Grid::walk is %v", walk)
	}
	_, ids, _ := strings.Cut(page, "/compare/")
	a, b, _ := strings.Cut(ids, "...")
	back := l.OK("/api/v1/compare/" + b + "..." + a + "?q=Grid4walk&by=own").Object(t)["items"].([]any)[0].(map[string]any)
	if float(t, back, "change") != -float(t, walk, "change") {
		t.Errorf("backwards the change is %v, not −%v", back["change"], walk["change"])
	}
	for query, says := range map[string]string{
		"by=x": "total", "state=x": "hot_base", "sort=x": "abs_change", "min=x": "threshold",
	} {
		if p := webtest.Problem(t, l.Get(api+"?"+query), http.StatusBadRequest,
			"bad_parameter"); !strings.Contains(p["detail"].(string), says) {
			t.Errorf("%s: %v", query, p["detail"])
		}
	}
	parsed := l.OK(page+"?by=own", "Accept", "text/html").Parse(t)
	webtest.CheckPage(t, parsed)
	if said := webtest.Said(webtest.ByTestID(t, parsed, "sentence")); !strings.HasPrefix(said,
		"96.2 % similar. 9.1 % of the samples overlap.") {
		t.Errorf("the page says %s", said)
	}
	if said := webtest.Said(webtest.ByTestID(t, parsed, "overlap")); !strings.Contains(said, "90.228 %") {
		t.Errorf("hot places overlap so: %s", said)
	}
	if said := l.OK(page, webtest.Terminal...).Text(); !strings.Contains(said, "96.2 % similar") ||
		!strings.Contains(said, "base_share") || !strings.Contains(said, "\nnext\n") {
		t.Errorf("a terminal is told\n%s", said)
	}
	if csv := l.OK(api + "?format=csv&cols=name,base_own,test_own&limit=3").Text(); !strings.HasPrefix(csv,
		"name,base_own,test_own\r\nmain,0,24\r\n") {
		t.Errorf("CSV has %s", csv)
	}
}

// Names and their hashes are the same functions, and checksums that differ say so.
func TestCompareHashes(t *testing.T) {
	l := webtest.Start(t, nil)
	api, _ := comparedSamples(t, l, "llvm-19/line.afdotext", "llvm-16/md5_compressed.ext.afdo")
	states := l.OK(api).Object(t)["states"].(map[string]any)
	for state, want := range map[string]string{"only_base": "0", "only_test": "0", "hot_base": "0", "hot_test": "0"} {
		if got := fmt.Sprint(states[state].(map[string]any)["rows"]); got != want {
			t.Errorf("%s: %s rows, want %s", state, got, want)
		}
	}
	probes := string(example(t, "text/probe.afdotext"))
	const bar = "!CFGChecksum: 72617220756\n"
	changed := strings.Replace(probes, bar, "!CFGChecksum: 4711\n", 1)
	base, test := l.Put("a.afdotext", []byte(probes))["id"].(string), l.Put("b.afdotext", []byte(changed))["id"].(string)
	rows := l.OK("/api/v1/compare/" + base + "..." + test + "?state=changed").Object(t)["items"].([]any)
	if len(rows) != 1 || rows[0].(map[string]any)["name"] != "bar" ||
		rows[0].(map[string]any)["test_checksum"] != "0000000000001267" {
		t.Errorf("changed are %v", rows)
	}
}

// Where one profile has contexts and the other has not, that is said, and functions still
// compare by name.
func TestCompareContextsWithLines(t *testing.T) {
	l := webtest.Start(t, nil)
	api, page := comparedSamples(t, l, "llvm-22/line.afdotext", "llvm-22/contexts.ext.afdo")
	object := l.OK(api + "?state=matched").Object(t)
	overlap := object["figures"].(map[string]any)["overlap"].(map[string]any)
	if overlap["comparable"] != false || overlap["reason"] != "one has pseudo probes and the other has not" ||
		webtest.Number(t, object, "total") < 10 {
		t.Errorf("%v functions are in both, overlap %v", object["total"], overlap)
	}
	parsed := l.OK(page, "Accept", "text/html").Parse(t)
	webtest.CheckPage(t, parsed)
	if said := webtest.Said(parsed); !strings.Contains(said, "Compared by name only.") ||
		!strings.Contains(said, "one has pseudo probes and the other has not") || webtest.HasTestID(parsed, "overlap") {
		t.Error("the page does not say why places are not compared")
	}
}

// With a profile of another family samples are compared by the ranks of functions.
func TestCompareRanks(t *testing.T) {
	l := webtest.Start(t, nil)
	a := putSamples(t, l, "llvm-22/line.afdotext")
	b := l.Upload("b.proftext", webtest.Proftext("main", "_ZL7collatzl"))
	for _, pair := range []string{a + "..." + b, b + "..." + a} {
		names := l.OK("/api/v1/compare/"+pair).Column(t, "name")
		if !slices.Contains(names, "_ZL7collatzl") || !slices.Contains(names, "_ZN12_GLOBAL__N_14Grid4walkEiii") {
			t.Errorf("%s has %q", pair, names)
		}
	}
}

// example is a file of the decoder's examples.
func example(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(webtest.Root(), testdata, path))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
