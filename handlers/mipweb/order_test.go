package mipweb_test

import (
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// The start-up order and the runs can be filtered and ordered, and a function keeps its
// place whatever the order is; the order file stays whole.
func TestStartupOrderIsFilteredAndOrdered(t *testing.T) {
	l := webtest.Start(t, nil)
	api := webtest.PutMIP(l, webtest.MIPCounts...)
	at := "/p" + strings.TrimPrefix(api, "/api/v1/profiles")
	if name := l.OK(api).Object(t)["name"]; name != "counts, 3 runs" {
		t.Errorf("the profile is called %q", name)
	}
	place := map[any]any{}
	first := ""
	for i, item := range l.OK(api + "/traces?limit=1000").Object(t)["items"].([]any) {
		f := item.(map[string]any)
		place[f["fid"]] = f["place"]
		if i == 0 {
			first = f["linkage_name"].(string)
		}
	}
	for _, sort := range []string{"place", "-place", "name", "-size", "address", "-merge_count", "avg_timestamp"} {
		items := l.OK(api + "/traces?limit=1000&sort=" + sort).Object(t)["items"].([]any)
		if len(items) != len(place) {
			t.Errorf("by %s there are %d of %d", sort, len(items), len(place))
		}
		for _, item := range items {
			if f := item.(map[string]any); f["place"] != place[f["fid"]] {
				t.Errorf("by %s, %v has place %v, not %v", sort, f["name"], f["place"], place[f["fid"]])
			}
		}
	}
	found := l.OK(api + "/traces?q=" + first).Object(t)["items"].([]any)
	if len(found) == 0 || len(found) == len(place) {
		t.Errorf("%q finds %d of %d", first, len(found), len(place))
	}
	for _, path := range []string{
		"/order?sort=-size&q=" + first, "/order?sort=-place", "/runs?sort=name&q=" + first, "/runs?sort=-size",
	} {
		page := l.Page(at+path, 200)
		if strings.HasPrefix(path, "/order") {
			if got := l.OK(webtest.LinkTo(t, page, "For lld and others")).Text(); strings.Count(got, "\n") != len(place) {
				t.Errorf("%s offers a part of the order file", path)
			}
		}
	}
	if text := l.OK(at+"/order", "Accept", "text/html").Text(); !strings.Contains(text, "hence the −") ||
		!strings.Contains(text, "From counters") {
		t.Error("distances are not told from addresses")
	}
	for _, query := range []string{"size=100..", "re=e.*r", "merge_count=1&call_count=2.."} {
		want := len(l.OK(api + "/functions?executed=true&limit=1000&" + query).Object(t)["items"].([]any))
		doc := l.Page(at+"/runs?limit=1000&"+query, 200)
		rows := webtest.All(webtest.ByTestID(t, doc, "run-matrix"), webtest.Tag("tr"))
		if len(rows)-1 != want || want == 0 || !webtest.HasTestID(doc, "chips") {
			t.Errorf("of the functions by runs, %s selects %d, want %d, and says so", query, len(rows)-1, want)
		}
	}
	if csv := l.OK(at + "/runs?format=csv&q=a&sort=name&size=5..").Text(); csv != l.OK(api+"/runs?format=csv").Text() {
		t.Errorf("the runs as CSV are %s", csv)
	}
}
