package covweb_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"proflens/handlers/webtest"
)

// Every table answers as the document says, in every format, and as a download.
func TestTablesOfCoverage(t *testing.T) {
	doc := webtest.Document(t)
	l := webtest.Start(t, nil)
	for _, files := range [][]string{
		{"clang-22/rules/rules.profdata", "clang-22/rules/rules.exe"}, {"joined/stale.profdata", "joined/stale.exe"},
		{"rustc-stable/shop/shop.profdata", "rustc-stable/shop/shop.exe"},
	} {
		at := webtest.PutCoverage(l, files...)
		for _, call := range []string{
			"files", "files?q=lines%3C100", "files?sort=-union_lines,lines_partly&missing=1..",
			"files?inst=union&sort=-lines", "functions", "functions?state=never",
			"functions?instances=true&sort=name", "functions?q=main",
			"functions?sort=-instances,file&total=2..&state=ran",
			"lines", "lines?sort=-count&count=1..", "lines?q=ru", "branches", "branches?false=..0&sort=true,-file", "mcdc",
			"mcdc?missing=true&sort=-missing", "misfits", "misfits?kind=mismatched",
		} {
			path, _, _ := cut(call)
			webtest.Validate(t, doc, "/api/v1/profiles/{id}/coverage/"+path, l.OK(at+"/coverage/"+call))
			rows := l.OK(at + "/coverage/" + call).Object(t)["total"]
			csv := l.OK(at + "/coverage/" + call + sign(call) + "format=csv").Text()
			if got := fmt.Sprint(lines(csv) - 1); got != fmt.Sprint(rows) {
				t.Errorf("%s: %s rows of CSV, %v of JSON", call, got, rows)
			}
			if got := l.OK(at + "/export/csv?table=coverage-" + path).Text(); path == call && got != csv {
				t.Errorf("%s: the download differs", call)
			}
		}
	}
}

func cut(call string) (path, query string, ok bool) {
	for i := range call {
		if call[i] == '?' {
			return call[:i], call[i+1:], true
		}
	}
	return call, "", false
}

func sign(call string) string {
	if _, _, ok := cut(call); ok {
		return "&"
	}
	return "?"
}

func lines(text string) (n int) {
	for i := range text {
		if text[i] == '\n' {
			n++
		}
	}
	return n
}

// A file is named by its path, its recorded name, or the end of it; what there is not
// is said.
func TestFilesAreNamed(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutCoverage(l, "clang-22/rules/rules.profdata", "clang-22/rules/rules.exe")
	whole := l.OK(at + "/coverage/lines?file=rules/rules.c").Object(t)["total"]
	if by := l.OK(at + "/coverage/lines?file=rules.c").Object(t)["total"]; by != whole || fmt.Sprint(whole) == "0" {
		t.Errorf("%v lines, and %v", whole, by)
	}
	webtest.Problem(t, l.Get(at+"/coverage/lines?file=none.c"), http.StatusNotFound, "not_found")
	webtest.Problem(t, l.Get(at+"/coverage/functions?path=none"), http.StatusNotFound, "not_found")
	for _, wrong := range []string{
		"files?q=lines%3Cx", "files?q=cost%3C3", "files?sort=count", "functions?state=hot", "mcdc?sort=name",
		"misfits?kind=odd", "lines?path=x",
	} {
		webtest.Problem(t, l.Get(at+"/coverage/"+wrong), http.StatusBadRequest, "bad_parameter")
	}
}

// A program that comes later is joined, as debug info is.
func TestProgramsComeLater(t *testing.T) {
	l := webtest.Start(t, nil)
	dir := filepath.Join(webtest.Root(), "decode/covmap/testdata/clang-22/rules")
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	p := l.Put("rules.profraw", read("rules.profraw"))
	at := webtest.API(p["id"].(string))
	webtest.Problem(t, l.Get(at+"/coverage/files"), http.StatusNotFound, "not_found")
	webtest.Problem(t, l.Get(at+"/export/lcov"), http.StatusNotFound, "incompatible")
	body, kind := webtest.Form(t, "file:rules.exe", string(read("rules.exe")))
	l.Do("POST", at+"/files?wait=5m", body, "Content-Type", kind, "Accept", "application/json", "X-Delete-Token",
		p["delete_token"].(string))
	whole := webtest.PutCoverage(l, "clang-22/rules/rules.profdata", "clang-22/rules/rules.exe")
	got, want := l.OK(at+"/coverage/lines?limit=1000").Text(), l.OK(whole+"/coverage/lines?limit=1000").Text()
	if got != want {
		t.Errorf("%.300s, expected %.300s", got, want)
	}
	if got, want := l.OK(at+"/export/lcov").Text(), l.OK(whole+"/export/lcov").Text(); got != want || got == "" {
		t.Errorf("%.300s, expected %.300s", got, want)
	}
}
