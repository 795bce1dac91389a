package instrweb_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// comparedProfiles starts a server with two files of testdata/oracles and
// returns the address of their comparison.
func comparedProfiles(t *testing.T, l *webtest.Server, base, test string) string {
	t.Helper()
	return "/api/v1/compare?base=" + l.Put(base, webtest.File(t, "oracles/"+base))["id"].(string) +
		"&test=" + l.Put(test, webtest.File(t, "oracles/"+test))["id"].(string)
}

// The figures of two profiles are those of llvm-profdata overlap, to the last
// digit that it prints.
func TestOverlapOracle(t *testing.T) {
	l := webtest.Start(t, nil)
	for oracle, files := range map[string][3]string{
		"ir_c-ir_weighted.overlap.txt":       {"ir_c.profdata", "ir_weighted.profdata", ""},
		"fe_c-fe_vp.overlap.txt":             {"fe_c.profdata", "fe_vp.profdata", ""},
		"ir_c-cs_merged.overlap.txt":         {"ir_c.profdata", "cs_merged.profdata", ""},
		"cs_merged-cs_merged.overlap.txt":    {"cs_merged.profdata", "cs_merged.profdata", ""},
		"cs_merged-cs_merged.overlap-cs.txt": {"cs_merged.profdata", "cs_merged.profdata", "&overlap_cs=true"},
		"base-test.overlap.txt":              {"base.proftext", "test.proftext", ""},
		"test-base.overlap.txt":              {"test.proftext", "base.proftext", ""},
	} {
		text := string(webtest.File(t, "oracles/"+oracle))
		functions, program := text, ""
		if i := strings.Index(text, "Profile overlap information"); i >= 0 {
			functions, program = text[:i], text[i:]
		}
		at := comparedProfiles(t, l, files[0], files[1])
		got, _, _ := strings.Cut(l.OK(at+files[2]+"&format=text").Text(), "\n\n")
		if program == "" || got+"\n" != program {
			t.Errorf("%s: got\n%s\nwant\n%s", oracle, got, program)
		}
		if functions != "" {
			overlapFunctionsOf(t, oracle, functions, l.OK(at+"&format=ndjson").Text())
		}
	}
}

// A raw file can have several records of one name and hash, which llvm-profdata
// overlap reads one by one; so many records are named beside the functions.
func TestOverlapOfRepeatedRecords(t *testing.T) {
	const faults = "../../decode/instrprof/testdata/faults/duplicate_records"
	doc, l := webtest.Document(t), webtest.Start(t, nil)
	read := func(name string) []byte {
		data, err := os.ReadFile(faults + name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	var ids [2]string
	for i, name := range []string{"_a.profraw", "_b.profraw"} {
		ids[i] = l.Put(fmt.Sprintf("22-ir2-fmt.%d.profraw", i), read(name))["id"].(string)
	}
	got, _, _ := strings.Cut(l.OK("/api/v1/compare?base="+ids[0]+"&test="+ids[1]+"&format=text").Text(), "\n\n")
	if want := string(read(".overlap.llvm-profdata-22.txt")); got+"\n" != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// llvm-profdata show: "Total functions: 264".
	answer := l.OK("/api/v1/profiles/" + ids[0])
	webtest.Validate(t, doc, "/api/v1/profiles/{id}", answer)
	counts := answer.Object(t)["counts"].(map[string]any)
	if webtest.Number(t, counts, "functions") != 263 || webtest.Number(t, counts, "file_records") != 264 {
		t.Errorf("%v functions, %v records", counts["functions"], counts["file_records"])
	}
	page := l.OK("/p/"+ids[0], "Accept", "text/html").Parse(t)
	if said := webtest.Text(webtest.ByTestID(t, page, "tile-functions")); !strings.Contains(said, "263") ||
		!strings.Contains(said, "(264 records)") {
		t.Errorf("the page says %s", said)
	}
}

var overlapHead = regexp.MustCompile(`(?m)^  Function: (.*) \(Hash=(\d+)\)\n`)

// overlapFunctionsOf compares the function level of llvm-profdata overlap with
// the pairs.
func overlapFunctionsOf(t *testing.T, oracle, text, rows string) {
	t.Helper()
	got := map[string]string{}
	for line := range strings.Lines(rows) {
		var p struct {
			Name, Path, Linkage            string
			Hash                           string `json:"test_hash"`
			Overlap                        *float64
			Counters, BaseTotal, TestTotal json.Number
			Values                         map[string]struct{ Overlap, Base, Test float64 }
		}
		var raw map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &raw); err != nil {
			t.Fatal(err)
		}
		for key, v := range map[string]any{"name": &p.Name, "test_hash": &p.Hash, "overlap": &p.Overlap,
			"test_counters": &p.Counters,
			"base_total":    &p.BaseTotal, "test_total": &p.TestTotal, "value_overlap": &p.Values} {
			if raw[key] != nil && json.Unmarshal(raw[key], v) != nil {
				t.Fatalf("%s is %s", key, raw[key])
			}
		}
		if p.Overlap == nil {
			continue
		}
		var b strings.Builder
		fmt.Fprintf(&b, "  # of edge counters overlap: %s\n  Edge profile overlap: %.3f%%\n", p.Counters, *p.Overlap*100)
		fmt.Fprintf(&b, "  Edge profile base count sum: %s\n  Edge profile test count sum: %s\n", p.BaseTotal, p.TestTotal)
		for kind, word := range []string{"IndirectCall", "MemOP", "VTable"} {
			if v, ok := p.Values[[]string{"IPVK_IndirectCallTarget", "IPVK_MemOPSize", "IPVK_VTableTarget"}[kind]]; ok {
				fmt.Fprintf(&b, "  %s profile overlap: %.3f%%\n  %s profile base count sum: %.0f\n  %s profile test count sum: "+
					"%.0f\n",
					word, v.Overlap*100, word, v.Base, word, v.Test)
			}
		}
		var hash uint64
		fmt.Sscanf(p.Hash, "%x", &hash)
		got[fmt.Sprint(p.Name, " ", hash)] = b.String()
	}
	want := map[string]string{}
	for block := range strings.SplitSeq(text, "Function level:\n") {
		if m := overlapHead.FindStringSubmatch(block); m != nil {
			want[m[1]+" "+m[2]] = strings.TrimPrefix(block, m[0])
		}
	}
	if len(want) == 0 || len(got) != len(want) {
		t.Errorf("%s: %d functions overlap, llvm-profdata lists %d", oracle, len(got), len(want))
	}
	for key, w := range want {
		if got[key] != w {
			t.Errorf("%s: %s\n%s\nwant\n%s", oracle, key, got[key], w)
		}
	}
}

func TestCompareList(t *testing.T) {
	l := webtest.Start(t, nil)
	at := comparedProfiles(t, l, "base.proftext", "test.proftext")
	answer := l.OK(at)
	object := answer.Object(t)
	states := map[string]string{}
	for state, v := range object["states"].(map[string]any) {
		s := v.(map[string]any)
		states[state] = fmt.Sprint(s["pairs"], " ", s["base_total"], " ", s["test_total"])
	}
	want := map[string]string{
		"matched": "3 1030 500", "changed": "3 675 315", "only_base": "1 395 0", "only_test": "1 0 185",
	}
	if !maps.Equal(states, want) {
		t.Errorf("states %v, want %v", states, want)
	}
	if object["hotter"] != json.Number("1") || object["colder"] != json.Number("1") || object["same"] != json.Number("1") {
		t.Errorf("hotter %v, colder %v, same %v", object["hotter"], object["colder"], object["same"])
	}
	// By change of share, of either sign; of equal changes the base's order.
	if got := answer.Column(t, "name"); !slices.Equal(got, []string{
		"gone", "arrived", "twice", "kept", "reshaped", "changed", "twice", "quiet",
	}) {
		t.Errorf("the rows are %v", got)
	}
	var sum float64
	for _, item := range object["items"].([]any) {
		row := item.(map[string]any)
		change, err := row["change"].(json.Number).Float64()
		if err != nil {
			t.Fatal(err)
		}
		sum += change
		if row["name"] == "gone" && (row["test_total"] != nil || row["base_total"] != json.Number("395") ||
			row["state"] != "only_base") {
			t.Errorf("what is gone is %v", row)
		}
		if row["name"] == "reshaped" &&
			(row["state"] != "changed" || row["base_hash"] != row["test_hash"] || row["overlap"] != nil) {
			t.Errorf("a record of another shape is %v", row)
		}
	}
	if math.Abs(sum) > 1e-12 {
		t.Errorf("the changes add up to %v, not nothing", sum)
	}
	names := func(query string) string { return strings.Join(l.OK(at+"&"+query).Column(t, "name"), " ") }
	for query, want := range map[string]string{
		"sort=-change&limit=2":             "arrived twice",
		"sort=change&limit=1":              "gone",
		"sort=name":                        "arrived changed gone kept quiet reshaped twice twice",
		"sort=-name,-base_total&limit=2":   "twice twice",
		"sort=-base_total&limit=2":         "kept changed",
		"sort=-test_max&limit=1":           "kept",
		"sort=overlap&limit=2":             "kept twice",
		"sort=test_rank,base_rank&limit=1": "kept",
		"state=only_base,only_test":        "gone arrived",
		"state=changed&sort=name":          "changed reshaped twice",
		"direction=same":                   "quiet",
		"direction=more&sort=name":         "arrived reshaped twice",
		"base_class=hot&test_class=absent": "gone twice",
		"test_class=absent&sort=name":      "gone twice",
		"class=never":                      "quiet",
		"overlap=..90":                     "kept",
		"overlap=90..&q=TW":                "twice",
		"re=^.ept$":                        "kept",
		"base_total=500..":                 "kept changed",
		"test_total=..0&sort=name":         "gone quiet twice",
		"cs=true":                          "",
		"namespace=::&limit=1&sort=name":   "arrived",
		"path=%3B&limit=1&sort=name":       "arrived",
		"limit=3&cursor=3":                 "kept reshaped changed",
		"limit=3&page=3":                   "twice quiet",
	} {
		if got := names(query); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	if got := l.OK(at + "&state=matched").Object(t); got["total"] != json.Number("3") || got["all"] != json.Number("8") ||
		got["matching_base_total"] != json.Number("1030") {
		t.Errorf("a filtered answer counts %v of %v, %v", got["total"], got["all"], got["matching_base_total"])
	}
	if csv := strings.Split(l.OK(at+"&format=csv&cols=name,change").Text(), "\r\n"); len(csv) != 10 ||
		csv[0] != "name,change" {
		t.Errorf("CSV has %q", csv)
	}
}

// A profile that is a multiple of another has the same shares, whatever doubles
// make of them.
func TestCompareMultiple(t *testing.T) {
	l := webtest.Start(t, nil)
	id := l.Put("a.profdata", webtest.File(t, "oracles/ir_c.profdata"))["id"].(string)
	merged := l.Do("POST", "/api/v1/merge", strings.NewReader(`{"profiles":[{"id":"`+id+`","weight":7}]}`))
	if merged.StatusCode != http.StatusCreated {
		t.Fatal(merged.Status, merged.Text())
	}
	object := l.OK("/api/v1/compare?base=" + id + "&test=" + merged.Object(t)["id"].(string)).Object(t)
	if object["same"] != json.Number("45") || object["hotter"] != json.Number("0") ||
		object["colder"] != json.Number("0") {
		t.Errorf("%v the same, %v hotter, %v colder", object["same"], object["hotter"], object["colder"])
	}
	if score, _ := object["overlap"].(map[string]any)["score"].(json.Number).Float64(); math.Abs(score-1) > 1e-12 {
		t.Errorf("they overlap by %v", score)
	}
}

func TestCompareErrors(t *testing.T) {
	l := webtest.Start(t, nil)
	a := l.Put("a.proftext", webtest.File(t, "oracles/base.proftext"))
	id := a["id"].(string)
	for query, says := range map[string]string{
		"base=" + id: "test", "base=" + id + "&test=" + id + "&x=1": "known parameters: base, test",
		"base=" + id + "&test=" + id + "&state=x":    "matched",
		"base=" + id + "&test=" + id + "&sort=share": "abs_change",
		"base=" + id + "&test=" + id + "&overlap=9":  "percentages",
		"base=" + id + "&test=" + id + "&cols=x":     "base_total",
		"base=" + id + "&test=" + id + "&class=x":    "absent",
	} {
		p := webtest.Problem(t, l.Get("/api/v1/compare?"+query), http.StatusBadRequest, "bad_parameter")
		if !strings.Contains(p["detail"].(string), says) {
			t.Errorf("%s: %q does not say %q", query, p["detail"], says)
		}
	}
	webtest.Problem(t, l.Get("/api/v1/compare?base="+id+"&test=none"), http.StatusNotFound, "not_found")
	// What is the same is not sent twice.
	both := "/api/v1/compare?base=" + id + "&test=" + id
	if tag := l.OK(both).Header.Get("ETag"); tag == "" ||
		l.Get(both, "If-None-Match", tag).StatusCode != http.StatusNotModified {
		t.Error("a comparison has no ETag, or does not heed it")
	}
	gone := l.Put("b.proftext", webtest.File(t, "oracles/test.proftext"))
	l.Do("DELETE", "/api/v1/profiles/"+gone["id"].(string), nil, "X-Delete-Token", gone["delete_token"].(string))
	webtest.Problem(t, l.Get("/api/v1/compare?base="+id+"&test="+gone["id"].(string)), http.StatusGone, "deleted")
	// Profiles without counts: llvm-profdata prints nothing.
	empty := l.Put("e.proftext", []byte(":ir\nf\n1\n1\n0\n"))["id"].(string)
	o := l.OK("/api/v1/compare?base=" + id + "&test=" + empty).Object(t)["overlap"].(map[string]any)
	if o["comparable"] != false || o["edge"].(map[string]any)["overlap"] != json.Number("0") {
		t.Errorf("an overlap with nothing is %v", o)
	}
}

// Counts against single bytes are compared with a warning, in every form.
func TestCountsAgainstBytes(t *testing.T) {
	doc, l := webtest.Document(t), webtest.Start(t, nil)
	count := l.Put("count.proftext", []byte(":ir\nf\n1\n2\n100\n3\n"))["id"].(string)
	single := l.Put("byte.proftext", []byte(":ir\n:single_byte_coverage\nf\n1\n2\n1\n1\n"))["id"].(string)
	at := "/api/v1/compare?base=" + count + "&test=" + single
	const want = "one has counts, the other single-byte coverage, which only says what ran; their counters mean " +
		"different things"
	answer := l.OK(at)
	webtest.Validate(t, doc, "/api/v1/compare", answer)
	if got := answer.Object(t)["warning"]; got != want {
		t.Errorf("%v", got)
	}
	if got := l.OK(at + "&format=text").Text(); !strings.HasPrefix(got, "warning: "+want+"\n") {
		t.Error(got)
	}
	if got := l.OK("/compare/"+count+"..."+single, "Accept", "text/html").Text(); !strings.Contains(got,
		"single-byte coverage, which only says what ran") {
		t.Error("the page does not say it")
	}
	if _, is := l.OK("/api/v1/compare?base=" + count + "&test=" + count).Object(t)["warning"]; is {
		t.Error("a warning of one and the same profile")
	}
}
