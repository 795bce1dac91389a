package covweb_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/analyze/sources"
	"proflens/handlers/site"
	"proflens/handlers/webtest"
)

// labelled uploads a profile with its program and with labels, and returns the path of
// its page.
func labelled(t *testing.T, l *webtest.Server, labels ...string) string {
	t.Helper()
	var fields []string
	for _, label := range labels {
		fields = append(fields, "label", label)
	}
	for _, name := range []string{"rules.profdata", "rules.exe"} {
		data, err := os.ReadFile(filepath.Join(webtest.Root(), "decode/covmap/testdata/clang-22/rules", name))
		if err != nil {
			t.Fatal(err)
		}
		fields = append(fields, "file:"+name, string(data))
	}
	body, contentType := webtest.Form(t, fields...)
	a := l.Do("POST", "/api/v1/profiles?wait=1m", body, "Content-Type", contentType)
	if a.StatusCode != http.StatusCreated {
		t.Fatal(a.Status, a.Text())
	}
	return "/p/" + a.Object(t)["id"].(string)
}

// hrefs are the links of a page to other hosts.
func hrefs(t *testing.T, doc *html.Node) (list []string) {
	for _, n := range webtest.All(doc, webtest.Tag("a")) {
		if href := webtest.Attr(n, "href"); strings.HasPrefix(href, "http") {
			if rel := webtest.Attr(n, "rel"); rel != "external noreferrer" {
				t.Errorf("%s has rel %q", href, rel)
			}
			list = append(list, href)
		}
	}
	return list
}

// TestSourcesElsewhere: lines lead to another host, by the server's template or by the
// profile's own, and a page says why they do not.
func TestSourcesElsewhere(t *testing.T) {
	template, err := sources.ParseTemplate("https://code.example/{repo}/blob/{commit}/{path}#L{line}")
	if err != nil {
		t.Fatal(err)
	}
	l := webtest.Start(t, func(c *site.Config) { c.SourceURL = template })
	at := labelled(t, l, "repo=a/b c", `commit="><i>`)
	const blob = "https://code.example/a/b%20c/blob/%22%3E%3Ci%3E/"
	function := webtest.LinkTo(t, l.Page(at+"/functions?q=unreached", http.StatusOK), "unreached")
	for path, want := range map[string]string{
		"/files/rules.c":          blob + "rules.c",
		"/files/rules.c?sel=14":   blob + "rules.c#L14",
		"/files/rules.c?sel=1000": blob + "rules.c#L1000",
		"/uncovered":              blob + "rules.c#L63",
		"/mcdc":                   blob + "rules.c#L14",
	} {
		found := hrefs(t, l.Page(at+path, http.StatusOK))
		if !strings.Contains(strings.Join(found, " ")+" ", want+" ") {
			t.Errorf("%s leads to %v, not to %s", path, found, want)
		}
	}
	if found := hrefs(t, l.Page(function, http.StatusOK)); len(found) != 1 || found[0] != blob+"rules.c#L63" {
		t.Errorf("the function's page leads to %v", found)
	}
	api := strings.Replace(at, "/p/", "/api/v1/profiles/", 1)
	for table, want := range map[string]string{
		"files": blob + "rules.c", "lines?file=rules.c": blob + "rules.c#L8", "functions?state=never": blob + "rules.c#L63",
		"branches?file=rules.c": blob + "rules.c#L", "mcdc": blob + "rules.c#L",
	} {
		answer := l.OK(api + "/coverage/" + table)
		name, _, _ := strings.Cut(table, "?")
		webtest.Validate(t, webtest.Document(t), "/api/v1/profiles/{id}/coverage/"+name, answer)
		if got := strings.Join(answer.Column(t, "source_url"), " "); !strings.Contains(got, want) {
			t.Errorf("%s has %s, not %s", table, got, want)
		}
	}
	if got := l.OK(api + "/export/csv?table=coverage-files&cols=source_url").Text(); !strings.Contains(
		got, blob+"rules.h") {
		t.Errorf("the export has %s", got)
	}

	without := labelled(t, l, "repo=x")
	page := l.Page(without+"/files/rules.c?sel=14", http.StatusOK)
	if said := webtest.Said(webtest.ByTestID(t, page,
		"source-why")); said != "No link to code.example: the profile needs the label commit." || len(hrefs(t, page)) != 0 {
		t.Errorf("without a commit the page says %q and leads to %v", said, hrefs(t, page))
	}
	own := labelled(t, l, "source_url=http://other.example/{path}?l={line}", "source_root=/nowhere")
	if said := webtest.Said(webtest.ByTestID(t, l.Page(own+"/files/rules.c", http.StatusOK),
		"source-why")); said != "No link to other.example: this file is not below the directory of the label source_root." {
		t.Errorf("of another directory it says %q", said)
	}
	a := l.Do("PUT", "/api/v1/profiles/a.proftext?label=source_url=javascript:{path}",
		strings.NewReader(string(webtest.Proftext("f"))))
	if webtest.Problem(t, a, http.StatusBadRequest, "bad_parameter"); !strings.Contains(a.Text(), "source_url") {
		t.Error(a.Text())
	}
}

// TestAFileByItsEnd: a path that only one file ends with leads to its page, one of
// several to their list.
func TestAFileByItsEnd(t *testing.T) {
	l := webtest.Start(t, nil)
	at := put(l, "joined/calc.profdata", "clang-16/calc/calc.exe", "clang-22/compdir/compdir.exe")
	for path, want := range map[string]string{
		"/files/calc-1.0/calc/ops.h?show=gaps": "/files/build/calc-1.0/calc/ops.h?show=gaps",
		"/files?file=1.0/calc/ops.h":           "", "/files?file=calc-1.0/calc/ops.h": "/files/build/calc-1.0/calc/ops.h",
		"/files/main.c": "/files?q=main.c", "/files/calc/main.c": "own", "/files/build/calc-1.0/calc/main.c": "own",
		"/files/ain.c": "",
	} {
		a := l.Get(at+path, "Accept", "text/html")
		switch to := a.Header.Get("Location"); want {
		case "":
			if a.StatusCode != http.StatusNotFound {
				t.Errorf("%s answers %s, %s", path, a.Status, to)
			}
		case "own":
			if a.StatusCode != http.StatusOK {
				t.Errorf("%s answers %s, %s", path, a.Status, to)
			}
		default:
			if a.StatusCode != http.StatusSeeOther || to != at+want {
				t.Errorf("%s answers %s, %s; want %s", path, a.Status, to, want)
			}
			l.Page(at+want, http.StatusOK)
		}
	}
}
