package gateweb_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

func TestMain(m *testing.M) { webtest.Main(m) }

const api = "/api/v1/compare/gate"

func put(t *testing.T, l *webtest.Server, path, query string) (id string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(webtest.Root(), path))
	if err != nil {
		t.Fatal(err)
	}
	return l.Put(filepath.Base(path)+query, data)["id"].(string)
}

const (
	base = "handlers/testdata/oracles/ir_c.profdata"
	test = "handlers/testdata/oracles/ir_weighted.profdata"
	heap = "profile/memprofdb/testdata/mem_cold_v4.profdata"
)

// outcomes are those of rules, by their names.
func outcomes(list any) map[string]string {
	found := map[string]string{}
	for _, one := range list.([]any) {
		rule := one.(map[string]any)
		found[rule["rule"].(string)] = rule["outcome"].(string)
	}
	return found
}

// A gate that passes is an object, one that fails a problem that names the rules.
func TestGate(t *testing.T) {
	doc, l := webtest.Document(t), webtest.Shared(t)
	a, b := put(t, l, base, ""), put(t, l, test, "")
	at := api + "?base=" + a + "&test=" + b
	passed := l.OK(at + "&min_overlap=72&min_total_ratio=1&min_functions=45")
	webtest.Validate(t, doc, api, passed)
	object := passed.Object(t)
	if object["passed"] != true || object["link"] != l.URL+"/compare/"+a+"..."+b || len(outcomes(object["rules"])) != 3 {
		t.Error(passed.Text())
	}
	overlap := object["rules"].([]any)[1].(map[string]any)
	if overlap["rule"] != "min_overlap" || overlap["measure"] != "instr.overlap" || overlap["figure"] != "72.8%" {
		t.Error(overlap)
	}
	failed := l.Get(at + "&min_overlap=95&min_functions=45&max_cold_bytes=1")
	webtest.Validate(t, doc, api, failed)
	problem := webtest.Problem(t, failed, http.StatusUnprocessableEntity, "gate_failed")
	if got := outcomes(problem["rules"]); fmt.Sprint(got) != "map[max_cold_bytes:missing min_overlap:fail]" {
		t.Error(got)
	}
	if got := outcomes(problem["report"].(map[string]any)["rules"]); got["min_functions"] != "pass" || len(got) != 3 {
		t.Error(got)
	}
	if want := "2 of 3 rules fail; max_cold_bytes: no heap profile; min_overlap: Overlap: 72.8%, less than 95%"; problem["detail"] != want {
		t.Errorf("%s\nwant %s", problem["detail"], want)
	}
}

// Every format is answered with the same status, by format and by Accept.
func TestFormats(t *testing.T) {
	l := webtest.Shared(t)
	a := put(t, l, base, "")
	at := api + "?base=" + a + "&test=" + a + "&min_overlap="
	for format, media := range map[string]string{
		"text": "text/plain", "markdown": "text/markdown", "junit": "application/xml", "sarif": "application/sarif+json",
		"json": "application/json",
	} {
		for limit, status := range map[string]int{
			"100": http.StatusOK, "100&max_cold_bytes=0": http.StatusUnprocessableEntity,
		} {
			for _, answer := range []*webtest.Answer{l.Get(at + limit + "&format=" + format), l.Get(at+limit, "Accept", media)} {
				want := media
				if format == "json" && status != http.StatusOK {
					want = "application/problem+json"
				}
				if got, _, _ := strings.Cut(answer.Header.Get("Content-Type"), ";"); got != want || answer.StatusCode != status {
					t.Errorf("%s %s: %s, %s: %s", format, limit, answer.Status, got, answer.Text())
				}
			}
		}
	}
}

// Without rules those of the project are in force, for the branch of the test.
func TestRulesOfTheProject(t *testing.T) {
	l := webtest.Shared(t)
	a := put(t, l, base, "?project=app")
	b := put(t, l, test, "?project=app&label=branch=release/1")
	at := api + "?base=" + a + "&test="
	p := webtest.Problem(t, l.Get(at+b), http.StatusBadRequest, "bad_parameter")
	if !strings.Contains(p["detail"].(string), "there are no rules") {
		t.Error(p)
	}
	text := "[gate]\nmin_overlap = 72\n[gate.branch.\"release/*\"]\nmin_overlap = 99\n"
	if err := l.Catalog.Projects().SetRules(t.Context(), "app", text, false); err != nil {
		t.Fatal(err)
	}
	webtest.Problem(t, l.Get(at+b), http.StatusUnprocessableEntity, "gate_failed")
	if got := outcomes(l.OK(at + a).Object(t)["rules"]); got["min_overlap"] != "pass" {
		t.Error(got)
	}
	if got := outcomes(l.OK(at + b + "&min_functions=1").Object(t)["rules"]); len(got) != 1 {
		t.Errorf("rules of the request and of the project: %v", got)
	}
	if err := l.Catalog.Projects().SetRules(t.Context(), "app", "[gate]\nnonsense = 1\n", false); err != nil {
		t.Fatal(err)
	}
	p = webtest.Problem(t, l.Get(at+b), http.StatusUnprocessableEntity, "malformed")
	if !strings.Contains(p["detail"].(string), "gate.nonsense") {
		t.Error(p)
	}
}

// What cannot be asked says what can.
func TestRefused(t *testing.T) {
	l := webtest.Shared(t)
	a := put(t, l, base, "")
	for query, want := range map[string]string{
		"?test=" + a: "base",
		"?base=" + a: "test",
		"?base=" + a + "&test=" + a + "&min_overlpa=1":                                   "the nearest are min_overlap",
		"?base=" + a + "&test=" + a + "&min_overlap=":                                    "from 0 to 100",
		"?base=" + a + "&test=" + a + "&min_overlap=1&min_overlap=2":                     "given 2 times",
		"?base=" + a + "&test=" + a + "&min_overlap=1&format=pdf":                        "pdf",
		"?base=" + a + "&test=" + a + "," + a + "&min_overlap=1":                         "an instrumentation profile twice",
		"?base=" + a + "&test=" + strings.Repeat(a+",", 9) + "&min_overlap=1":            "one a family",
		"?base=" + a + "&test=" + a + "&min_overlap=1&" + strings.Repeat("x", 100) + "=": "min_ or max_",
	} {
		p := webtest.Problem(t, l.Get(api+query), http.StatusBadRequest, "bad_parameter")
		if !strings.Contains(p["detail"].(string), want) {
			t.Errorf("%.100s: %v, want %q", query, p["detail"], want)
		}
	}
	webtest.Problem(t, l.Get(api+"?base="+a+"&test=nothere&min_overlap=1"), http.StatusNotFound, "not_found")
}

// The profiles of a build are judged together, each by its own rules.
func TestBuild(t *testing.T) {
	l := webtest.Shared(t)
	a, h := put(t, l, base, ""), put(t, l, heap, "")
	object := l.OK(api + "?base=" + a + "," + h + "&test=" + a + "&test=" + h +
		"&min_overlap=100&max_cold_bytes_growth=0").Object(t)
	if object["passed"] != true || object["link"] != nil || !strings.Contains(object["test"].(string), " + ") {
		t.Error(object)
	}
	failed := l.Get(api + "?base=" + a + "," + h + "&test=" + a + "&max_cold_bytes_growth=0")
	p := webtest.Problem(t, failed, http.StatusUnprocessableEntity, "gate_failed")
	if p["rules"].([]any)[0].(map[string]any)["why"] != "no heap profile in the test" {
		t.Error(p)
	}
}

// A diff tells how the lines ran that it adds, as the page of changed lines does.
func TestChangedLines(t *testing.T) {
	doc, l := webtest.Document(t), webtest.Shared(t)
	at := webtest.PutCoverage(l, "clang-22/rules/rules.profdata", "clang-22/rules/rules.exe")
	id := at[strings.LastIndexByte(at, '/')+1:]
	diff := "--- a/rules.c\n+++ b/rules.c\n@@ -0,0 +1,60 @@\n" + strings.Repeat("+x\n", 60)
	sum := l.Do(http.MethodPost, at+"/changed", strings.NewReader(diff), "Content-Type", "text/x-diff").Object(t)
	gated := api + "?base=" + id + "&test=" + id + "&min_changed_lines_coverage=1"
	answer := l.Do(http.MethodPost, gated, strings.NewReader(diff), "Content-Type", "text/x-diff")
	webtest.Validate(t, doc, api, answer)
	rule := answer.Object(t)["rules"].([]any)[0].(map[string]any)
	covered := webtest.Number(t, sum, "covered") + webtest.Number(t, sum, "partly")
	value := rule["test"].(map[string]any)
	if rule["outcome"] != "pass" || value["n"] != json.Number(fmt.Sprint(covered)) || value["of"] != sum["lines"] ||
		covered == 0 {
		t.Errorf("%v of %v", rule, sum)
	}
	p := webtest.Problem(t, l.Get(gated), http.StatusUnprocessableEntity, "gate_failed")
	if p["rules"].([]any)[0].(map[string]any)["why"] != "no diff that tells it" {
		t.Error(p)
	}
	webtest.Problem(t, l.Do(http.MethodPost, gated, strings.NewReader("nonsense")), http.StatusUnprocessableEntity,
		"malformed")
}

// A gate of counts against single bytes warns, in every format and status.
func TestGateOfCountsAndBytes(t *testing.T) {
	doc, l := webtest.Document(t), webtest.Shared(t)
	count := l.Put("count.proftext", []byte(":ir\nf\n1\n2\n100\n3\n"))["id"].(string)
	single := l.Put("byte.proftext", []byte(":ir\n:single_byte_coverage\nf\n1\n2\n1\n1\n"))["id"].(string)
	const want = "of base and test, one has counts, the other single-byte coverage"
	for limit, status := range map[string]int{"1": http.StatusOK, "100&min_functions=9": http.StatusUnprocessableEntity} {
		at := api + "?base=" + count + "&test=" + single + "&min_overlap=" + limit
		answer := l.Get(at)
		webtest.Validate(t, doc, api, answer)
		if answer.StatusCode != status {
			t.Errorf("%s: %s", limit, answer.Text())
		}
		for _, format := range []string{"json", "text", "junit", "sarif", "markdown"} {
			said := strings.ReplaceAll(l.Get(at+"&format="+format).Text(), "\\-", "-")
			if strings.Count(said, want) != 1 {
				t.Errorf("%s: %s", format, said)
			}
		}
	}
}
