package instrweb_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// changedFiles are two profiles whose functions moved between files.
func changedFiles(l *webtest.Server) (query string) {
	record := func(name string, count int) string { return fmt.Sprintf("%s\n1\n1\n%d\n\n", name, count) }
	base := ":ir\n" + record("a/x/one.c;f", 60) + record("a/x/two.c;g", 20) + record("b.c;h", 20)
	test := ":ir\n" + record("a/x/one.c;f", 20) + record("a/y.c;g", 30) + record("main", 50)
	return "base=" + l.Put("base.proftext", []byte(base))["id"].(string) + "&test=" +
		l.Put("test.proftext", []byte(test))["id"].(string)
}

func TestCompareTree(t *testing.T) {
	l := webtest.Start(t, nil)
	at := "/api/v1/compare/tree?" + changedFiles(l)
	for query, want := range map[string][]string{
		"":                  {"branch a a/ -0.30", "leaf b.c b.c; -0.20", "none  ; +0.50"},
		"&path=a":           {"branch a/x a/x/ -0.60", "leaf a/y.c a/y.c; +0.30"},
		"&path=a/x":         {"leaf a/x/one.c a/x/one.c; -0.40", "leaf a/x/two.c a/x/two.c; -0.20"},
		"&path=a/y.c":       nil,
		"&rewrite=a/y.c=b":  {"branch a/x a/x/ -0.60", "leaf b b; +0.30", "leaf b.c b.c; -0.20", "none  ; +0.50"},
		"&limit=1&cursor=1": {"leaf b.c b.c; -0.20"},
		"&by=namespace":     {"none  :: 0.00"},
	} {
		var got []string
		for _, item := range l.OK(at + query).Object(t)["items"].([]any) {
			n := item.(map[string]any)
			sign := "%+.2f"
			if float(t, n["change"]) == 0 {
				sign = "%.2f"
			}
			got = append(got, fmt.Sprintf("%v %v %v "+sign, n["kind"], n["path"], n["filter"], float(t, n["change"])))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	if text := l.OK(at + "&format=text").Text(); !strings.Contains(text, "-30.00%") ||
		!strings.Contains(text, "+50.00%") {
		t.Error(text)
	}
	webtest.Problem(t, l.Get(at+"&path=nowhere"), http.StatusNotFound, "not_found")
	webtest.Problem(t, l.Get(at+"&sort=name"), http.StatusBadRequest, "bad_parameter")
	webtest.Problem(t, l.Get("/api/v1/compare/tree?base=x"), http.StatusBadRequest, "bad_parameter")
}

// The tree of changes stands below the same head as the functions; it is that of namespaces where
// files say less, and passes over the only folder.
func TestCompareTreeHead(t *testing.T) {
	l := webtest.Start(t, nil)
	for want, names := range map[string][]string{
		"ns": {"_ZN2ns1fEv", "_ZN2ns1gEv", "main"}, "b.c": {"src/lib/a.c;f", "src/lib/b.c;g"},
	} {
		ids := []string{}
		for i := range 2 {
			ids = append(ids, l.Put(fmt.Sprint(i, ".proftext"), webtest.Proftext(names...))["id"].(string))
		}
		page := l.Page("/compare/"+ids[0]+"..."+ids[1]+"/tree", http.StatusOK)
		webtest.ByTestID(t, page, "side-A")
		if to := webtest.LinkTo(t, page, "Functions"); to != "/compare/"+ids[0]+"..."+ids[1] {
			t.Errorf("functions are at %s", to)
		}
		if said := webtest.Said(webtest.ByTestID(t, page, "change-table")); !strings.Contains(said, want) {
			t.Errorf("%q is not in %s", want, said)
		}
	}
}

// What a node adds up are the records that its filter selects, in both
// profiles, and what is below a node is all of it.
func TestCompareTreeAddsUp(t *testing.T) {
	l := webtest.Start(t, nil)
	pair := strings.TrimPrefix(comparedProfiles(t, l, "fe_c.profdata", "fe_vp.profdata"), "/api/v1/compare?")
	for _, by := range []string{"path", "namespace"} {
		query := pair + "&by=" + by
		var walk func(path string, depth int)
		walk = func(path string, depth int) {
			answer := l.OK("/api/v1/compare/tree?" + query + "&limit=1000&path=" + url.QueryEscape(path)).Object(t)
			whole := answer["node"].(map[string]any)
			sums := map[string]float64{}
			for _, item := range answer["items"].([]any) {
				n := item.(map[string]any)
				for _, column := range []string{"base_total", "test_total", "base_functions", "test_functions"} {
					sums[column] += float(t, n[column])
				}
				if filter := n["filter"].(string); filter != "" {
					held := l.OK("/api/v1/compare?" + pair + "&limit=0&" + by + "=" + url.QueryEscape(filter)).Object(t)
					if held["matching_base_total"] != n["base_total"] || held["matching_test_total"] != n["test_total"] {
						t.Errorf("%s %q: the records hold %v and %v, the node %v", by, filter, held["matching_base_total"],
							held["matching_test_total"], n)
					}
				}
				if n["kind"] == "branch" && depth < 3 {
					walk(n["path"].(string), depth+1)
				}
			}
			for column, sum := range sums {
				if math.Abs(sum-float(t, whole[column])) > 0.5 {
					t.Errorf("%s %q: %s is %v, below it %v", by, path, column, whole[column], sum)
				}
			}
		}
		walk("", 0)
	}
}

func TestCompareTreePage(t *testing.T) {
	l := webtest.Start(t, nil)
	pair, _ := url.ParseQuery(changedFiles(l))
	at := "/compare/" + pair.Get("base") + "..." + pair.Get("test")
	if !strings.Contains(l.OK(at).Text(), `href="`+at+`/tree"`) {
		t.Error("the comparison does not lead to its tree")
	}
	body := l.OK(at + "/tree").Text()
	for _, want := range []string{
		`href="` + at + `/tree?path=a"`, `href="` + at + `?path=b.c%3B"`, "−30.00", "no path",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if csv := l.OK(at + "/tree?path=a&format=csv").Text(); csv != l.OK("/api/v1"+at+"/tree?path=a&format=csv").Text() {
		t.Errorf("%s", csv)
	}
	if a := l.Do("GET", at+"/tree?sort=name", bytes.NewReader(nil)); a.StatusCode != http.StatusBadRequest {
		t.Error(a.Status)
	}
}

func float(t *testing.T, v any) float64 {
	t.Helper()
	f, err := v.(json.Number).Float64()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// At a terminal the address of a comparison prints it.
func TestCompareText(t *testing.T) {
	l := webtest.Start(t, nil)
	pair, _ := url.ParseQuery(changedFiles(l))
	at := "/compare/" + pair.Get("base") + "..." + pair.Get("test")
	a := l.OK(at, "Accept", "*/*", "User-Agent", "curl/8.5.0")
	for _, want := range []string{
		"# of functions overlap: 1\n", "+50.00%", "only_test", "\nnext\n", "/api/v1" + at + "/tree?",
	} {
		if !strings.Contains(a.Text(), want) {
			t.Errorf("%q is not in\n%s", want, a.Text())
		}
	}
	if !strings.HasPrefix(a.Header.Get("Content-Type"), "text/plain") ||
		!strings.Contains(strings.Join(a.Header.Values("Vary"), ","), "User-Agent") {
		t.Errorf("it is %v", a.Header)
	}
	if one := l.OK(at+"?q=main", "Accept", "text/plain").Text(); strings.Contains(one, "one.c") ||
		!strings.Contains(one, "q=main") {
		t.Error(one)
	}
}
