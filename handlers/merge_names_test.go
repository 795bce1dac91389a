package handlers_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"proflens/handlers/webtest"

	"golang.org/x/net/html"
)

// Equal names become one row, on request, in the API and on the page, and the
// row leads to what it was made of.
func TestMergeNames(t *testing.T) {
	l := webtest.Start(t, nil)
	// Counters are 1 at odd places: of the three parse, one ran.
	id := l.Put("a.proftext", webtest.Proftext("parse", "a.c;parse.__uniq.204881", "b.c;parse.llvm.99", "_Z3addi.llvm.7",
		"_Z3addi", "parse.cold"))["id"].(string)
	page, api := "/p/"+id+"/functions", "/api/v1/profiles/"+id+"/functions"

	whole := l.OK(api + "?names=short&merge=names")
	webtest.Validate(t, webtest.Document(t), "/api/v1/profiles/{id}/functions", whole)
	object := whole.Object(t)
	if webtest.Number(t, object, "total") != 3 || webtest.Number(t, object, "records") != 6 ||
		webtest.Number(t, object, "all") != 6 {
		t.Errorf("total %v, records %v, all %v", object["total"], object["records"], object["all"])
	}
	rows := map[string]map[string]any{}
	for _, item := range object["items"].([]any) {
		row := item.(map[string]any)
		rows[row["demangled"].(string)] = row
	}
	for name, want := range map[string][3]json.Number{
		"parse": {"3", "1", "6"}, "add": {"2", "1", "4"}, "parse.cold": {"1", "1", "2"},
	} {
		row := rows[name]
		if row == nil || row["records"] != want[0] || row["total"] != want[1] || row["counters"] != want[2] {
			t.Errorf("%s: %v, want records, total and counters %v", name, row, want)
			continue
		}
		if merged := want[0] != "1"; merged != (row["func_hash"] == nil) {
			t.Errorf("%s: FuncHash %v", name, row["func_hash"])
		}
	}
	if got := l.OK(api + "?names=short&merge=names&format=csv&cols=demangled,records,func_hash").Text(); !strings.Contains(
		got, "parse,3,\n") &&
		!strings.Contains(got, "parse,3,\r\n") {
		t.Errorf("CSV: %q", got)
	}
	if got := l.OK(api + "?names=short&merge=names&format=text").Text(); !strings.Contains(got, "records") {
		t.Errorf("text: %q", got)
	}

	doc := l.OK(page+"?names=short&merge=names", "Accept", "text/html").Parse(t)
	var times []string
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || webtest.Attr(n, "class") != "tag tag-times" {
			continue
		}
		times = append(times, webtest.Text(n))
		u, err := url.Parse(webtest.Attr(n, "href"))
		if err != nil || u.Query().Has("merge") {
			t.Fatalf("×n leads to %q", webtest.Attr(n, "href"))
		}
		found := l.OK(strings.Replace(u.String(), "/p/", "/api/v1/profiles/", 1)).Object(t)
		if "×"+found["total"].(json.Number).String() != webtest.Text(n) {
			t.Errorf("%s leads to %v rows: %s", webtest.Text(n), found["total"], u)
		}
	}
	if len(times) != 2 {
		t.Errorf("marked are %v, want two rows", times)
	}
	if a := l.Get(api + "?merge=all"); a.StatusCode != http.StatusBadRequest {
		t.Errorf("merge=all: %s", a.Status)
	}
	if got := webtest.Number(t, l.OK(api+"?named=parse&names=short").Object(t), "total"); got != 3 {
		t.Errorf("named=parse finds %d", got)
	}
}
