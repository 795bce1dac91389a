package instrweb_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"proflens/handlers/webtest"

	"golang.org/x/net/html"
)

// The functions executed are those that llvm-profdata show --covered lists.
func TestCoverageOracle(t *testing.T) {
	lists, err := filepath.Glob("../testdata/covered/*.covered.txt")
	if err != nil || len(lists) == 0 {
		t.Fatal("no oracles", err)
	}
	l := webtest.Start(t, nil)
	for _, list := range lists {
		want := strings.Split(strings.TrimSpace(string(webtest.File(t, strings.TrimPrefix(list, "../testdata/")))), "\n")
		file := strings.TrimSuffix(list, ".covered.txt")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		path := "/api/v1/profiles/" + l.Put(filepath.Base(file), data)["id"].(string)
		for _, by := range []string{"path", "namespace"} {
			answer := l.OK(path + "/coverage?limit=1000&by=" + by).Object(t)
			executed := 0
			for _, item := range answer["items"].([]any) {
				executed += webtest.Number(t, item.(map[string]any), "executed")
			}
			node := answer["node"].(map[string]any)
			if got := webtest.Number(t, node, "executed"); got != len(want) || executed != len(want) {
				t.Errorf("%s by %s: %d executed, %d in the parts, llvm-profdata lists %d", file, by, got, executed, len(want))
			}
		}
		got := l.OK(path+"/functions?executed=true&limit=1000").Column(t, "name")
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q are executed, want %q", file, got, want)
		}
	}
}

var treeNames = []string{
	"lib/Support/a.c;f", "lib/Support/b.c;f", "lib/x.c;_ZN2ns1fEv", "/home/al/lib/x.c;g", "main", "_ZN2ns1A1fEv",
	"_ZN2ns1A1gEv",
}

// One folder of everything is passed over, and what is said of functions without a path is said where
// there are any.
func TestTreeOfOneFolder(t *testing.T) {
	l := webtest.Start(t, nil)
	const said = "Only static functions record a file"
	at := webtest.Page(l.Put("t.proftext", webtest.Proftext("src/lib/a.c;f", "src/lib/b.c;g"))["id"].(string))
	for _, path := range []string{"/tree", "/tree?by=path", "/tree?by=path&path=src/lib"} {
		page := webtest.Said(webtest.ByTestID(t, l.Page(at+path, http.StatusOK), "tree"))
		rows := webtest.Said(webtest.ByTestID(t, l.Page(at+path, http.StatusOK), "tree-table"))
		if strings.Contains(page, said) || !strings.Contains(rows, "a.c") {
			t.Errorf("%s says %s", path, page)
		}
	}
	at = webtest.Page(l.Put("t.proftext", webtest.Proftext("src/lib/a.c;f", "src/lib/b.c;g", "main"))["id"].(string))
	if page := webtest.Said(l.Page(at+"/tree", http.StatusOK)); !strings.Contains(page, said) {
		t.Errorf("without a path: %s", page)
	}
}

func TestTreeAnswers(t *testing.T) {
	l := webtest.Start(t, nil)
	path := "/api/v1/profiles/" + l.Put("t.proftext", webtest.Proftext(treeNames...))["id"].(string)
	for query, want := range map[string][]string{
		"/tree":            {"branch lib", "leaf /home/al/lib/x.c", "none "},
		"/tree?sort=-name": {"branch lib", "leaf /home/al/lib/x.c", "none "},
		"/tree?depth=3&sort=name": {
			"leaf /home/al/lib/x.c", "branch lib", "branch lib/Support", "leaf lib/Support/a.c", "leaf lib/Support/b.c",
			"leaf lib/x.c", "none ",
		},
		"/tree?path=lib/Support/":                        {"leaf lib/Support/b.c", "leaf lib/Support/a.c"},
		"/tree?rewrite=/home/al/lib=lib&path=lib":        {"branch lib/Support", "leaf lib/x.c"},
		"/tree?rewrite=/home/al%3D":                      {"branch lib", "none "},
		"/tree?by=namespace":                             {"branch ns", "none "},
		"/tree?by=namespace&path=ns::":                   {"leaf ns::A", "direct ns"},
		"/coverage?by=namespace":                         {"leaf ns::A", "direct ns", "none "},
		"/coverage?limit=1&cursor=1&sort=name":           {"leaf lib/Support/a.c"},
		"/coverage?path=%3B":                             {"none "},
		"/tree?path=%3B":                                 nil,
		"/tree?by=namespace&sort=-functions,name&page=2": nil,
	} {
		answer := l.OK(path + query)
		kinds, paths := answer.Column(t, "kind"), answer.Column(t, "path")
		var got []string
		for i := range kinds {
			got = append(got, kinds[i]+" "+paths[i])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
		// What a node's filter selects are its functions.
		rules := strings.Join(answer.Request.URL.Query()["rewrite"], "")
		for i, filter := range answer.Column(t, "filter") {
			key := "path"
			if strings.Contains(query, "namespace") {
				key = "namespace"
			}
			selected := l.OK(path + "/functions?" + url.Values{key: {filter}, "rewrite": {rules}}.Encode()).Object(t)
			if total := fmt.Sprint(selected["total"]); total != answer.Column(t, "functions")[i] {
				t.Errorf("%s: %s=%s selects %s functions", query, key, filter, total)
			}
		}
	}
	for query, status := range map[string]int{
		"/tree?path=nowhere": 404, "/tree?by=x": 400, "/tree?depth=0": 400, "/tree?rewrite=x": 400, "/tree?sort=x": 400,
		"/coverage?depth=2":              400,
		"/tree?by=namespace&rewrite=a=b": 400, "/tree?cols=x": 400, "/functions?rewrite==x": 400,
	} {
		if a := l.Get(path + query); a.StatusCode != status {
			t.Errorf("%s: %s, want %d", query, a.Status, status)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(l.OK(path + "/coverage?format=csv&by=namespace").Text())).ReadAll()
	if err != nil || len(rows) != 4 || rows[1][2] != "ns::A" {
		t.Errorf("%v, %q", err, rows)
	}
}

func TestTreePage(t *testing.T) {
	l := webtest.Start(t, nil)
	at := "/p/" + l.Put("t.proftext", webtest.Proftext(treeNames...))["id"].(string) + "/tree"
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(l.Log.String())
		}
	})
	doc := l.Page(at, http.StatusOK, "Accept", "text/html")
	webtest.CheckPage(t, doc)
	table := webtest.ByTestID(t, doc, "tree-table")
	if rows := webtest.All(table, webtest.Tag("tr")); len(rows) != 4 {
		t.Errorf("%d rows", len(rows))
	}
	if got := webtest.LinkTo(t, table, "lib"); got != at+"?path=lib" {
		t.Errorf("lib is at %q", got)
	}
	if got := webtest.Attr(webtest.ByTestID(t, doc, "never"), "href"); !strings.HasSuffix(got, "/functions?class=never") {
		t.Errorf("what never ran is at %q", got)
	}
	if got := webtest.Text(webtest.ByTestID(t, doc, "coverage")); !strings.Contains(got, "3 of 7 functions executed") {
		t.Errorf("coverage is %q", got)
	}
	doc = l.Page(at+"?path=lib&rewrite=/home/al/lib=lib", http.StatusOK, "Accept", "text/html")
	table = webtest.ByTestID(t, doc, "tree-table")
	never := webtest.LinkTo(t, table, "1 never executed of lib/x.c")
	if !strings.Contains(never, "path=lib/x.c%3B") || !strings.Contains(never, "rewrite=") ||
		!strings.Contains(never, "class=never") {
		t.Errorf("what never ran of x.c is at %q", never)
	}
	list := l.Page(never, http.StatusOK, "Accept", "text/html")
	if rows := webtest.All(webtest.ByTestID(t, list, "functions"), webtest.Tag("tr")); len(rows) != 2 {
		t.Errorf("%d rows at %s", len(rows), never)
	}
	l.Page(at+"?path=nowhere", http.StatusNotFound, "Accept", "text/html")
	l.Page(at+"?foo=1", http.StatusBadRequest, "Accept", "text/html")
	if csv := l.OK(at+"?format=csv&by=namespace", "Accept", "text/html"); !strings.HasPrefix(csv.Text(), "depth,") {
		t.Errorf("%.300s", csv.Text())
	}
	for _, query := range []string{"", "&w=functions", "&path=ns", "&path=::", "&sort=name"} {
		webtest.CheckPage(t, l.Page(at+"?by=namespace"+query, http.StatusOK, "Accept", "text/html"))
	}
}

// Names of an attacker's come out as text, and lead where they say.
func TestTreeHostileNames(t *testing.T) {
	var names []string
	for i, name := range append(slices.Clone(webtest.HostileNames), `"><script>alert(1)</script>`, "javascript:alert(1)",
		"../../etc", "%2e%2e", "=cmd|x", "a?b#c&d") {
		name = strings.Map(func(r rune) rune {
			if r == 0 || r == '\n' || r == '\r' || r == ';' || r == '#' {
				return '_'
			}
			return r
		}, name)
		names = append(names, fmt.Sprintf("%.300s/%d.c;f%d", name, i, i))
	}
	l := webtest.Start(t, nil)
	at := "/p/" + l.Put("t.proftext", webtest.Proftext(names...))["id"].(string) + "/tree"
	doc := l.Page(at+"?w=functions", http.StatusOK, "Accept", "text/html")
	webtest.CheckPage(t, doc)
	opened := 0
	for _, a := range webtest.All(doc, webtest.Tag("a")) {
		href := webtest.Attr(a, "href")
		if !strings.HasPrefix(href, "/") && !strings.HasPrefix(href, "#") {
			t.Errorf("a link to %q", href)
		}
		if strings.HasPrefix(href, at+"?path=") || strings.Contains(href, "/functions?path=") {
			webtest.CheckPage(t, l.Page(href, http.StatusOK, "Accept", "text/html"))
			opened++
		}
	}
	if opened < len(names) {
		t.Errorf("%d links to nodes", opened)
	}
	for _, n := range webtest.All(doc, func(n *html.Node) bool { return n.Data == "img" }) {
		t.Errorf("an element came out of a name: <%s>", n.Data)
	}
}

// What a node leads to is as many functions as it says, of all and of those that never ran.
func TestNodesLeadToTheirFunctions(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, file := range []string{"ir_c.profraw", "temporal_two.profdata"} {
		page := webtest.Page(l.Upload(file, webtest.File(t, file)))
		for _, query := range []string{"?by=path", "?by=namespace", "?by=namespace&sort=-never"} {
			doc, followed := l.Page(page+"/tree"+query, http.StatusOK), 0
			links := webtest.All(webtest.ByTestID(t, doc, "tree-table"), webtest.Tag("a"))
			for _, a := range append(links, webtest.AllByTestID(doc, "never")...) {
				href, said := webtest.Attr(a, "href"), plain(a)
				said = strings.ReplaceAll(said[strings.LastIndexByte(said, ':')+1:], " ", "")
				if _, err := strconv.Atoi(said); err != nil || !strings.HasPrefix(href, page+"/functions") {
					continue
				}
				if followed++; followed > 12 {
					break
				}
				sign := map[bool]string{true: "&", false: "?"}[strings.Contains(href, "?")]
				if n := l.OK(href + sign + "format=json&limit=1").Object(t)["total"]; fmt.Sprint(n) != said {
					t.Errorf("%s%s: %s leads to %v functions, and says %s", file, query, href, n, said)
				}
			}
			if followed == 0 {
				t.Errorf("%s%s leads nowhere", file, query)
			}
		}
	}
}
