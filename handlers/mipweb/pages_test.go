package mipweb_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"proflens/handlers/webtest"

	"golang.org/x/net/html"
)

// mipPage asks for a page of a profile, at its path in the API.
func mipPage(l *webtest.Server, at, path string) *html.Node {
	l.T.Helper()
	return l.Page("/p/"+strings.TrimPrefix(at, "/api/v1/profiles/")+path, http.StatusOK)
}

// shown is the text of what has this test id.
func shown(t *testing.T, doc *html.Node, id string) string {
	t.Helper()
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && webtest.Attr(n, "data-testid") == id {
			return strings.ReplaceAll(webtest.Text(n), "\u00a0", " ")
		}
	}
	return ""
}

func TestMIPPagesSayWhatTheFilesDo(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutMIP(l, webtest.MIPCounts...)
	twins := webtest.PutMIP(l, "names/duplicate.mipmap", "names/duplicate.mipraw")
	unrun := webtest.PutMIP(l, "merged/counts.mipmap")
	coverage := webtest.PutMIP(l, "merged/coverage.mipmap", "merged/coverage.0.mipraw", "merged/coverage.1.mipraw")
	merged := webtest.PutMIP(l, "merged/counts.mip")
	fid := l.OK(at+"/functions?sort=name&limit=1").Column(t, "fid")[0]
	twin := l.OK(twins+"/functions?sort=-index&limit=1").Column(t, "fid")[0]
	for _, c := range []struct{ at, path, id, says string }{
		{at, "", "tile-functions", "of 25, 84.0 %"},
		{at, "", "tile-removed", "not in percentages"},
		{at, "", "tile-runs", "3"},
		{at, "", "notes", "left out of percentages"},
		{at, "", "notes", "whether they ran is unknown"},
		{at, "", "plot", ""},
		{merged, "", "tile-runs", "≥ 3"},
		{coverage, "", "notes", "no call counts and no order"},
		{unrun, "", "notes", "No run is in the profile"},
		{at, "/functions", "says", "21 of 25 functions executed (84.0 %)"},
		{at, "/functions?only-run=2", "chips", "executed in run 2 only"},
		{at, "/functions?cols=address,signature", "functions", "0x"},
		{at, "/functions/" + fid, "blocks", "entry"},
		{at, "/functions/" + fid, "ruler", ""},
		{at, "/functions/" + fid, "function-runs", "counts."},
		{twins, "/functions/" + twin, "fields", "Raw offset"},
		{at, "/tree", "coverage", "67.5 %"},
		{at, "/tree", "treemap", "% covered"},
		{at, "/dead", "says", "4 functions with 1.0 KiB"},
		{at, "/dead", "list-dead-namespace", "62.7 %"},
		{at, "/dead", "functions-page", "whether they ran is unknown"},
		{at, "/calls", "says", "3.77 M calls of 21 functions"},
		{coverage, "/calls", "blank", "No calls were counted"},
		{at, "/order", "says", "21 functions with 5.5 KiB"},
		{at, "/order", "address-map", ""},
		{at, "/order?min-runs=3", "says", "4 functions"},
		{at, "/order?run=1", "order-table-page", "in run 1 only"},
		{coverage, "/order", "blank", "No order"},
		{at, "/runs", "run-figures", "Only this run 0 1 5"},
		{at, "/runs", "run-matrix", "831 k"},
		{merged, "/runs", "blank", "The runs are merged"},
	} {
		doc := mipPage(l, c.at, c.path)
		webtest.CheckPage(t, doc)
		if c.says == "" {
			if !strings.Contains(render(t, doc), `data-testid="`+c.id+`"`) {
				t.Errorf("%s has no %s", c.path, c.id)
			}
		} else if got := shown(t, doc, c.id); !strings.Contains(got, c.says) {
			t.Errorf("%s: %s says %q, want %q", c.path, c.id, got, c.says)
		}
	}
}

func render(t *testing.T, doc *html.Node) string {
	t.Helper()
	var b bytes.Buffer
	if err := html.Render(&b, doc); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A saturated count is marked wherever it stands.
func TestSaturatedCallsAreMarked(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutMIP(l, "numbers/raw.mipmap", "numbers/raw.mipraw")
	if n := len(l.OK(at+"/functions?saturated=true").Column(t, "fid")); n == 0 {
		t.Fatal("no function is saturated")
	}
	if got := shown(t, mipPage(l, at, "/calls"), "functions"); !strings.Contains(got, "≥") {
		t.Errorf("the table says %q", got)
	}
	if got := shown(t, mipPage(l, at, ""), "tile-calls"); !strings.Contains(got, "saturated") ||
		strings.Contains(got, "none") {
		t.Errorf("the overview says %q", got)
	}
}

// ?format= on a page gives the same rows as the API, and runs that there are
// not are refused.
func TestMIPPagesLeadToTheAPI(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutMIP(l, webtest.MIPCounts...)
	base := "/p/" + strings.TrimPrefix(at, "/api/v1/profiles/")
	for path, want := range map[string]string{
		"/dead?format=csv":          "/functions?executed=false&format=csv",
		"/calls?format=json":        "/functions?call_count=1..&sort=-call_count&format=json",
		"/order?run=2&format=csv":   "/traces?run=2&format=csv",
		"/tree?by=path&format=json": "/tree?by=path&format=json",
		"/runs?format=csv":          "/runs?format=csv",
	} {
		if got := l.OK(base+path, "Accept", "text/html").Text(); got != l.OK(at+want).Text() {
			t.Errorf("%s: %.300s", path, got)
		}
	}
	for path, status := range map[string]int{
		"/functions?run=9": 400, "/order?run=4": 400, "/functions?class=hot": 400, "/dead?cols=x": 400,
		"/tree?path=nowhere": 404, "/functions/ffff": 404,
		"/runs?x=1": 400, "/values": 200,
	} {
		if a := l.Get(base+path, "Accept", "text/html"); a.StatusCode != status {
			t.Errorf("%s: %s, want %d", path, a.Status, status)
		}
	}
	other := "/p/" + l.Put("x.proftext", []byte("main\n1\n1\n1\n"))["id"].(string)
	for _, path := range []string{"/dead", "/calls", "/runs"} {
		if a := l.Get(other+path, "Accept", "text/html"); a.StatusCode != 404 {
			t.Errorf("%s of an instrumentation profile: %s", path, a.Status)
		}
	}
}

// A terminal gets the figures, exact, and the commands that lead on.
func TestMIPSummaryForATerminal(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutMIP(l, webtest.MIPCounts...)
	said := l.OK("/p/"+strings.TrimPrefix(at, "/api/v1/profiles/"), "User-Agent", "curl/8.0", "Accept", "*/*").Text()
	for _, want := range []string{
		"functions executed", "of 25, 84.0 %", "blocks removed", "not in percentages",
		at + "/functions?format=text&executed=false", at + "/export/order",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in\n%s", want, said)
		}
	}
	if got := render(t, mipPage(l, at, "/downloads")); !strings.Contains(got, at+"/export/mip?layout=tool64") ||
		!strings.Contains(got, at+"/export/order") {
		t.Error("Downloads does not lead to the forms of the profile")
	}
}
